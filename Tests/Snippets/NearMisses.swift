// swift: 5 6
import Foundation
import MoyaStreams

// A property of a target that almost meets a requirement. The compiler warns where the conformance stands at an
// extension; in the type itself, a debug build prints a hint about stored properties, at the first request.

enum GitHub {
    case zen
}

extension GitHub: TargetType {
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var headers: [String: String] { return ["A": "b"] }  // warning: nearly matches defaulted requirement 'headers'
}

// Parameters with `Any` are sent, in either mode.
enum Search: TargetType {
    case text(String)
    var baseURL: URL { return URL(fileURLWithPath: "/") }
    var path: String { return "/" }
    var parameters: [String: Any]? {
        switch self {
        case .text(let text): return ["q": text]
        }
    }
}

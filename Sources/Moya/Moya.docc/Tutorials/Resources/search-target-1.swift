import Foundation
import MoyaStreams

enum GitHub: TargetType {
    case search(String)

    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/search/repositories" }
}

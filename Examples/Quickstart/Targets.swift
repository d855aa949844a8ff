import Foundation
import MoyaStreams

/// An API as an enum: each case is one request.
enum MyService {
    case zen
    case showUser(id: Int)
    case slow

    /// The server of this example.
    static let server = LoopbackAPI()
}

extension MyService: TargetType {
    var baseURL: URL { Self.server.url }

    var path: String {
        switch self {
        case .zen: "/zen"
        case .showUser(let id): "/users/\(id)"
        case .slow: "/slow"
        }
    }

    var sampleData: Data {
        switch self {
        case .zen: Data("Half measures are as bad as nothing at all.".utf8)
        case .showUser(let id): Data(#"{"id": \#(id), "name": "Harry"}"#.utf8)
        case .slow: Data()
        }
    }
}

/// One request as a struct: `{id}` is the percent-encoded value of the property.
struct ShowUser: TargetType {
    let baseURL = MyService.server.url
    let path = "/users/{id}"
    let parameters: [String: any Sendable]? = ["verbose": true]

    let id: Int
}

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

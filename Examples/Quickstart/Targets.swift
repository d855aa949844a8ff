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

// The types of the responses: one static function for each case that has a type.
extension TypedTarget<MyService, User> {
    static func showUser(id: Int) -> Self { Self(.showUser(id: id)) }
}

extension TypedTarget<MyService, String> {
    static var zen: Self { Self(.zen) }
}

/// One request as a struct, with the type of its response; `{id}` stands for the percent-encoded value of `id`.
struct ShowUser: TargetType, DecodableTargetType {
    typealias Value = User

    let baseURL = MyService.server.url
    let path = "/users/{id}"
    let parameters: [String: any Sendable]? = ["verbose": true]

    let id: Int
}

/// The content of the error responses of the server.
struct ServerMessage: Decodable, Sendable {
    let message: String
}

struct User: Decodable, Sendable {
    let id: Int
    let name: String
}

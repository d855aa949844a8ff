import Foundation
import MoyaStreams

enum GitHub: TargetType {
    case search(String)

    // swift-format-ignore: NeverForceUnwrap
    var baseURL: URL { URL(string: "https://api.github.com")! }
    var path: String { "/search/repositories" }
    var parameters: [String: any Sendable]? {
        switch self {
        case .search(let text): ["q": text]
        }
    }
    var sampleData: Data {
        switch self {
        case .search(let text): Data(#"{"items": [{"name": "\#(text)"}]}"#.utf8)
        }
    }
}

nonisolated struct Found: Decodable {
    struct Item: Decodable {
        let name: String
    }
    let items: [Item]
}

nonisolated extension TypedTarget<GitHub, Found> {
    static func search(_ text: String) -> Self { Self(.search(text)) }
}

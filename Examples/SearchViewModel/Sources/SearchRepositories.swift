import Foundation
import MoyaStreams

/// The search for repositories, whose property is the query parameter `q`.
struct SearchRepositories: DecodableTargetType, ReflectiveParameters {
    let path = "/search/repositories"
    let mapping = ResponseMapping<[Repository]>.json(at: "items")
    let q: String

    /// The response in tests and previews.
    var sampleData: Data { Data(#"{"items": [{"id": 1, "full_name": "\#(q)/\#(q)"}]}"#.utf8) }
}

struct Repository: Decodable, Sendable, Hashable, Identifiable {
    let id: Int
    let fullName: String
}

extension MoyaProvider<SearchRepositories> {
    static let gitHub = MoyaProvider(
        baseURL: URL(string: "https://api.github.com"),
        interceptors: [.retry(.exponential(initial: .milliseconds(500), times: 2))],
        decoding: .gitHub)
}

extension ResponseDecoding {
    static let gitHub = ResponseDecoding { $0.keyDecodingStrategy = .convertFromSnakeCase }
}

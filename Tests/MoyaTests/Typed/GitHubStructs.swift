import Foundation
import Moya

/// Endpoints of GitHub as structs, each with the type of its response.
enum GitHubEndpoints {
    struct ShowUser: DecodableTargetType {
        typealias Value = User
        let path = "/users/{name}"
        let name: String
    }

    struct ListRepositories: DecodableTargetType {
        typealias Value = [Repository]
        let path = "/users/{owner}/repos"
        let owner: String
        let parameters: [String: any Sendable]? = ["per_page": 2]
    }

    struct ListIssues: DecodableTargetType, ReflectiveParameters {
        typealias Value = [GitHubIssue]
        var path: String { "/repos/\(repository)/issues" }
        let repository: String
        var state = "open"
        var page = 1
    }

    struct SearchRepositories: DecodableTargetType, ReflectiveParameters {
        let path = "/search/repositories"
        let mapping = ResponseMapping.enveloped(SearchResult<Repository>.self)
        let q: String
    }

    struct CreateGist: DecodableTargetType {
        typealias Value = Gist
        let path = "/gists"
        let method = Moya.Method.post
        let gist: NewGist
        var task: RequestTask { .requestJSONEncodable(gist) }
    }

    struct ShowRateLimit: DecodableTargetType {
        let path = "/rate_limit"
        let mapping = ResponseMapping<RateLimit>.json(at: "rate")
    }

    struct Zen: DecodableTargetType {
        typealias Value = String
        let path = "/zen"
    }

    struct Avatar: DecodableTargetType {
        typealias Value = Data
        let path = "/avatars/{name}.png"
        let name: String
    }

    struct Star: DecodableTargetType {
        typealias Value = Void
        var path: String { "/user/starred/\(repository)" }
        let method = Moya.Method.put
        let repository: String
    }

    struct SearchResult<Item: Decodable & Sendable>: ResponseEnvelope {
        let totalCount: Int
        let items: [Item]

        func content() -> [Item] { items }
    }
}

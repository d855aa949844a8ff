import Foundation
import Moya

/// Endpoints of GitHub as an enum, without the types of the responses.
enum GitHub: RelativeTarget {
    case user(String)
    case repositories(of: String)
    case issues(of: String, state: String, page: Int)
    case searchRepositories(String)
    case createGist(NewGist)
    case rateLimit
    case zen
    case avatar(of: String)
    case star(String)

    var path: String {
        switch self {
        case .user(let name): "/users/\(name)"
        case .repositories(let name): "/users/\(name)/repos"
        case .issues(let repository, _, _): "/repos/\(repository)/issues"
        case .searchRepositories: "/search/repositories"
        case .createGist: "/gists"
        case .rateLimit: "/rate_limit"
        case .zen: "/zen"
        case .avatar(let name): "/avatars/\(name).png"
        case .star(let repository): "/user/starred/\(repository)"
        }
    }

    var method: Moya.Method {
        switch self {
        case .createGist: .post
        case .star: .put
        default: .get
        }
    }

    var parameters: [String: any Sendable]? {
        switch self {
        case .issues(_, let state, let page): ["state": state, "page": page]
        case .searchRepositories(let query): ["q": query]
        case .repositories: ["per_page": 2]
        default: nil
        }
    }

    var task: RequestTask {
        if case .createGist(let gist) = self { return .requestJSONEncodable(gist) }
        return parameters.map { .requestParameters(parameters: $0, encoding: URLEncoding.queryString) } ?? .requestPlain
    }
}

// The types of the responses, with one line for each case.
extension TypedTarget<GitHub, User> {
    static func user(_ name: String) -> Self { Self(.user(name)) }
}

extension TypedTarget<GitHub, [Repository]> {
    static func repositories(of name: String) -> Self { Self(.repositories(of: name)) }
    static func searchRepositories(_ query: String) -> Self { Self(.searchRepositories(query), at: "items") }
}

extension TypedTarget<GitHub, [GitHubIssue]> {
    static func issues(of repository: String, state: String = "open") -> Self {
        Self(.issues(of: repository, state: state, page: 1))
    }
}

extension TypedTarget<GitHub, Gist> {
    static func createGist(_ gist: NewGist) -> Self { Self(.createGist(gist)) }
}

extension TypedTarget<GitHub, RateLimit> {
    static var rateLimit: Self { Self(.rateLimit, at: "rate") }
}

extension TypedTarget<GitHub, String> {
    static var zen: Self { Self(.zen) }
}

extension TypedTarget<GitHub, Data> {
    static func avatar(of name: String) -> Self { Self(.avatar(of: name)) }
}

extension TypedTarget<GitHub, Void> {
    static func star(_ repository: String) -> Self { Self(.star(repository)) }
}

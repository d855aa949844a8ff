import Foundation
import Moya
import MoyaTesting

/// The server of the GitHub tests.
enum GitHubServer {
    static let image = Data([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

    static func start() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch (request.method, request.path) {
            case (.get, "/users/ash"): user(request)
            case (.get, "/users/ash/repos"): repositories(request)
            case (.get, "/repos/ash/pokedex/issues"): issues(request)
            case (.get, "/search/repositories"):
                .json(#"{"total_count": 1, "items": [{"id": 1, "full_name": "ash/pokedex"}]}"#)
            case (.post, "/gists"): gist(request)
            case (.get, "/rate_limit"):
                .status(200, headers: ["X-RateLimit-Remaining": "4999"], body: Data(#"{"rate": {"limit": 5000}}"#.utf8))
            case (.get, "/zen"): .text("Half measures are as bad as nothing at all.")
            case (.get, "/avatars/ash.png"): .status(200, headers: ["Content-Type": "image/png"], body: image)
            case (.put, "/user/starred/ash/pokedex"): .status(204)
            default:
                .json(#"{"message": "Not Found", "documentation_url": "https://docs.github.com/rest"}"#, status: 404)
            }
        }
    }

    private static func user(_ request: LoopbackRequest) -> LoopbackReply {
        .json(#"{"id": 7, "login": "ash", "public_repos": 3, "created_at": "2013-10-12T10:00:00Z"}"#)
    }

    private static func repositories(_ request: LoopbackRequest) -> LoopbackReply {
        let page = request.query?.contains("&page=2") == true ? 2 : 1
        let next =
            "</users/ash/repos?per_page=2&page=2>; rel=\"next\", </users/ash/repos?per_page=2&page=2>; rel=\"last\""
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if page == 1 { headers["Link"] = next }
        let ids = page == 1 ? [1, 2] : [2, 3]
        let items = ids.map { #"{"id": \#($0), "full_name": "ash/repo\#($0)"}"# }
        return .status(200, headers: headers, body: Data("[\(items.joined(separator: ","))]".utf8))
    }

    private static func issues(_ request: LoopbackRequest) -> LoopbackReply {
        let query = URLComponents(string: request.target)?.queryItems ?? []
        let page = query.first { $0.name == "page" }?.value ?? "1"
        guard query.contains(URLQueryItem(name: "state", value: "open")), page != "3" else { return .json("[]") }
        return .json(#"[{"number": \#(page), "title": "Issue \#(page)"}]"#)
    }

    private static func gist(_ request: LoopbackRequest) -> LoopbackReply {
        let gist = try? JSONValue(data: request.body)
        let isPublic = gist?["public"]?.bool ?? true
        return .json(#"{"id": "g1", "public": \#(isPublic)}"#, status: 201)
    }
}

// The values that both styles decode.
struct User: Decodable, Sendable, Equatable {
    let id: Int
    let login: String
    let publicRepos: Int
    let createdAt: Date
}

struct Repository: Decodable, Sendable, Equatable {
    let id: Int
    let fullName: String
}

struct GitHubIssue: Decodable, Sendable, Equatable {
    let number: Int
    let title: String
}

struct NewGist: Encodable, Sendable {
    let description: String
    let `public`: Bool
}

struct Gist: Decodable, Sendable, Equatable {
    let id: String
    let `public`: Bool
}

struct RateLimit: Decodable, Sendable, Equatable {
    let limit: Int
}

struct GitHubError: Decodable, Sendable, Equatable {
    let message: String
    let documentationUrl: String
}

extension ResponseDecoding {
    static let gitHub = ResponseDecoding(errorBody: .json(GitHubError.self)) { decoder in
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.dateDecodingStrategy = .iso8601
    }
}

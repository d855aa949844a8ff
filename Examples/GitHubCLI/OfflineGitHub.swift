import Foundation
import Moya
import MoyaTesting
import Synchronization

/// A server in this process with some of GitHub's responses: a user, pages, a failure, a redirect and a download.
struct OfflineGitHub {
    private let server: LoopbackServer

    init() throws {
        let failure = OneFailure()
        server = try LoopbackServer { request in Self.reply(to: request, failure) }
    }

    var url: URL { server.url }

    func stop() { server.stop() }

    private static func reply(to request: LoopbackRequest, _ failure: OneFailure) -> LoopbackReply {
        switch (request.method, request.path) {
        case (.get, "/users/ash"):
            .json(#"{"login": "ash", "name": "Ash Ketchum", "bio": null, "public_repos": 151, "followers": 25}"#)
        case (.get, "/users/ash/repos"): repositories(request, failure)
        case (.put, "/user/starred/ash/pokedex"):
            request.headers["Authorization"] == nil
                ? .json(#"{"message": "Requires authentication"}"#, status: 401) : .status(204)
        case (.get, "/repos/ash/pokedex/tarball"): .status(302, headers: ["Location": "/archives/pokedex.tar.gz"])
        case (.get, "/archives/pokedex.tar.gz"): archive
        default: .json(#"{"message": "Not Found"}"#, status: 404)
        }
    }

    /// A page of 151 repositories, with the link to the next one; the first request for the second page fails.
    private static func repositories(_ request: LoopbackRequest, _ failure: OneFailure) -> LoopbackReply {
        let size = max(number("per_page", in: request) ?? 30, 1)
        let page = max(number("page", in: request) ?? 1, 1)
        if page == 2, failure.isDue { return .json(#"{"message": "Try again"}"#, status: 503) }
        let numbers = (1...151).dropFirst((page - 1) * size).prefix(size)
        let items = numbers.map { number in
            """
            {"name": "pokedex-\(number)", "language": "Swift", "stargazers_count": \(152 - number),
            "pushed_at": "2026-01-31T12:00:00Z"}
            """
        }
        var headers: HTTPHeaders = ["Content-Type": "application/json"]
        if page * size < 151 {
            headers["Link"] = "</users/ash/repos?per_page=\(size)&sort=pushed&page=\(page + 1)>; rel=\"next\""
        }
        return .status(200, headers: headers, body: Data("[\(items.joined(separator: ", "))]".utf8))
    }

    private static func number(_ name: String, in request: LoopbackRequest) -> Int? {
        let items = URLComponents(string: request.target)?.queryItems
        return items?.first { $0.name == name }?.value.flatMap { Int($0) }
    }

    /// Two megabytes of zeros, in half a second.
    private static var archive: LoopbackReply {
        let chunk = Data(count: 100_000)
        let fields: HTTPHeaders = ["Content-Type": "application/gzip", "Content-Length": "\(20 * chunk.count)"]
        let chunks = (0..<20).flatMap { _ in [LoopbackReply.Step.wait(.milliseconds(25)), .send(chunk)] }
        return LoopbackReply([.send(LoopbackReply.head(200, fields))] + chunks)
    }
}

/// A failure that is due once.
private final class OneFailure: Sendable {
    private let isPending = Atomic(true)

    var isDue: Bool { isPending.exchange(false, ordering: .relaxed) }
}

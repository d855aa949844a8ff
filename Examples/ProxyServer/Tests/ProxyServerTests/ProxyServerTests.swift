import Foundation
import Moya
import MoyaTesting
import Synchronization
import Testing

@testable import ProxyServer

@Suite(.timeLimit(.minutes(10))) struct ProxyServerTests {
    @Test("status, fields about the content and the content are forwarded; other fields are not")
    func forwards() async throws {
        let gitHub = try LoopbackServer { request in
            request.path == "/repos/ash/pokedex/tarball"
                ? .status(
                    200, headers: ["Content-Type": "application/gzip", "ETag": "\"1\"", "Set-Cookie": "a=b"],
                    body: Data("archive".utf8))
                : .json(#"{"message": "Not Found"}"#, status: 404)
        }
        try await withProxy(to: gitHub.url) { proxy in
            let response = try await proxy.response(GetArchive(path: "/archives/ash/pokedex"))
            #expect(response.statusCode == 200)
            #expect(response.data == Data("archive".utf8))
            #expect(response.headers["Content-Type"] == "application/gzip")
            #expect(response.headers["Content-Length"] == "7")
            #expect(response.headers["ETag"] == "\"1\"")
            #expect(response.headers["Set-Cookie"] == nil)
            let missing = try await proxy.response(GetArchive(path: "/archives/ash/missingno"))
            #expect(missing.statusCode == 404)
            #expect(missing.data == Data(#"{"message": "Not Found"}"#.utf8))
        }
        #expect(gitHub.requests.first?.headers["Authorization"] == "Bearer secret")
    }

    @Test(
        "a path that is not the route's sends nothing to GitHub",
        arguments: ["/", "/archives/ash", "/archives/ash/pokedex/x", "/archives//pokedex"])
    func otherPaths(_ path: String) async throws {
        let gitHub = try LoopbackServer { _ in .text("secret") }
        try await withProxy(to: gitHub.url) { proxy in
            let response = try await proxy.response(GetArchive(path: path))
            #expect(response.statusCode == 404)
        }
        #expect(gitHub.requests.isEmpty)
    }

    @Test("an unreachable GitHub is a 502, and another method a 405")
    func failures() async throws {
        let gitHub = try LoopbackServer { _ in .closed }
        gitHub.stop()
        try await withProxy(to: gitHub.url) { proxy in
            let get = try await proxy.response(GetArchive(path: "/archives/ash/pokedex"))
            #expect(get.statusCode == 502)
            let put = try await proxy.response(GetArchive(path: "/archives/ash/pokedex", method: .put))
            #expect(put.statusCode == 405)
            #expect(put.headers["Allow"] == "GET")
        }
    }

    @Test("a slow client holds GitHub back, and does not delay other clients")
    func backpressure() async throws {
        let sent = Counter()
        let chunk = Data(count: 1 << 20)
        let gitHub = try LoopbackServer { request in
            guard request.path == "/repos/ash/large/tarball" else { return .text("small") }
            let chunks = (0..<128).flatMap { _ in
                [LoopbackReply.Step.waitUntil { sent.increment() }, .send(chunk)]
            }
            return LoopbackReply(
                [.send(LoopbackReply.head(200, ["Content-Length": "\(128 * chunk.count)"]))] + chunks)
        }
        try await withProxy(to: gitHub.url) { proxy in
            let large = try await proxy.streamedResponse(GetArchive(path: "/archives/ash/large"))
            for _ in 0..<100 {
                let small = try await proxy.response(GetArchive(path: "/archives/ash/small"))
                #expect(small.data == Data("small".utf8))
            }
            // The buffers of four sockets, which grow up to 6 MB each, and those of the proxy.
            #expect(sent.value < 48)
            var length = 0
            for try await chunk in large { length += chunk.count }
            #expect(length == 128 * chunk.count)
        }
    }

    @Test("a client that closes the connection cancels the request to GitHub")
    func cancel() async throws {
        let gitHub = try LoopbackServer { _ in
            LoopbackReply([.send(LoopbackReply.head(200, ["Content-Length": "10"])), .wait(.seconds(3600))])
        }
        try await withProxy(to: gitHub.url) { proxy in
            let archive = GetArchive(path: "/archives/ash/pokedex")
            var response: StreamedResponse? = try await proxy.streamedResponse(archive)
            #expect(response?.statusCode == 200)
            #expect(gitHub.connectionCount == 1)
            response = nil
            let end = ContinuousClock.now + .seconds(30)
            while gitHub.connectionCount > 0, ContinuousClock.now < end { await Task.yield() }
            #expect(gitHub.connectionCount == 0)
        }
    }

    @Test("arguments that are not known are refused")
    func options() throws {
        #expect(try Options(["--port", "0", "--offline"]).port == 0)
        #expect(throws: UsageError.self) { try Options(["--port", "-1"]) }
        #expect(throws: UsageError.self) { try Options(["--ofline"]) }
    }

    private func withProxy(
        to url: URL, _ body: (MoyaProvider<GetArchive>) async throws -> Void
    ) async throws {
        let server = try await HTTPServer(port: 0, route: ArchiveRoute(gitHub: .gitHub(at: url, token: "secret")))
        let running = Task { try await server.run() }
        defer { running.cancel() }
        try await body(MoyaProvider(baseURL: URL(string: "http://127.0.0.1:\(server.port)")))
    }
}

/// A request to the proxy.
private struct GetArchive: RelativeTarget {
    let path: String
    var method = HTTPMethod.get
}

private final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    /// Returns `true`, as a condition that is true at once.
    func increment() -> Bool {
        count.add(1, ordering: .relaxed)
        return true
    }
}

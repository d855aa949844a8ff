import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// What both engines promise.
///
/// Each test has a server and an engine of its own.
@Suite struct EngineTests {
    static let echo: @Sendable (LoopbackRequest) -> LoopbackReply = { request in
        .status(200, headers: ["X-Method": request.method.rawValue], body: request.body)
    }

    @Test(
        "every method arrives as it is", arguments: Engine.allCases,
        ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"])
    func methods(_ engine: Engine, _ method: String) async throws {
        let server = try LoopbackServer(Self.echo)
        defer { server.stop() }
        let request = try TransportRequest(method: HTTPMethod(rawValue: method), url: server.url.appending(path: "a"))
        let result = try await engine.make().exchange(request)
        #expect(result.error == nil)
        #expect(result.head?.statusCode == 200)
        #expect(result.head?.headers["x-method"] == method)
        #expect(server.requests.map(\.target) == ["/a"])
    }

    @Test("HEAD has no content, whatever its length says", arguments: Engine.allCases)
    func head(_ engine: Engine) async throws {
        let server = try LoopbackServer { _ in .text("five!") }
        defer { server.stop() }
        let result = try await engine.make().exchange(TransportRequest(method: .head, url: server.url))
        #expect(result.head?.headers["Content-Length"] == "5")
        #expect(result.content.isEmpty)
        #expect(result.error == nil)
    }

    @Test("content arrives byte for byte", arguments: Engine.allCases, [1, 1000, 300_000])
    func content(_ engine: Engine, _ size: Int) async throws {
        let server = try LoopbackServer(Self.echo)
        defer { server.stop() }
        let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let request = try TransportRequest(
            method: .post, url: server.url, headers: ["Content-Type": "x/y"], body: .data(data))
        let result = try await engine.make().exchange(request)
        let isSame = result.content == data
        #expect(isSame)
        let received = try #require(server.requests.first)
        #expect(received.headers["Content-Length"] == String(size))
        #expect(received.headers["Content-Type"] == "x/y")
        #expect(received.headers["Expect"] == nil)
    }

    @Test("a POST without content says so", arguments: Engine.allCases)
    func emptyPost(_ engine: Engine) async throws {
        let server = try LoopbackServer(Self.echo)
        defer { server.stop() }
        let result = try await engine.make().exchange(TransportRequest(method: .post, url: server.url))
        #expect(result.error == nil)
        #expect(server.requests.first?.headers["Content-Length"] == "0")
    }

    @Test("a file is sent from the disk", arguments: Engine.allCases)
    func file(_ engine: Engine) async throws {
        let server = try LoopbackServer(Self.echo)
        defer { server.stop() }
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let data = Data(repeating: 42, count: 200_000)
        try data.write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        let transport = try engine.make()
        let sent = try await transport.exchange(TransportRequest(method: .put, url: server.url, body: .file(url)))
        let isSame = sent.content == data
        #expect(isSame)
        let missing = try await transport.exchange(
            TransportRequest(method: .put, url: server.url, body: .file(url.appending(path: "none"))))
        #expect(missing.error != nil)
        #expect(missing.head == nil)
    }

    @Test("header fields arrive, empty and repeated ones, too", arguments: Engine.allCases)
    func headers(_ engine: Engine) async throws {
        let server = try LoopbackServer { _ in .status(200, headers: ["X-Answer": "  padded  ", "X-Empty": ""]) }
        defer { server.stop() }
        let request = try TransportRequest(
            method: .get, url: server.url, headers: ["X-One": "1", "X-Empty": "", "X-Umlaut": "ä"])
        let result = try await engine.make().exchange(request)
        let received = try #require(server.requests.first?.headers)
        #expect(received["x-one"] == "1")
        #expect(received["x-empty"] == "")
        #expect(received["x-umlaut"] == "ä")
        #expect(result.head?.headers["x-answer"] == "padded")
        #expect(result.head?.headers["x-empty"] == "")
    }

    @Test("chunks come as they arrive", arguments: Engine.allCases)
    func chunks(_ engine: Engine) async throws {
        let parts = (0..<5).map { Data("part \($0),".utf8) }
        let server = try LoopbackServer { _ in .chunked(parts, every: .milliseconds(20)) }
        defer { server.stop() }
        let request = try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil))
        let result = try await engine.make().exchange(request)
        #expect(result.chunks.count > 1)
        #expect(result.heads == 1)
        #expect(result.content == parts.reduce(Data(), +))
    }

    @Test("interim responses are not the answer", arguments: Engine.allCases)
    func interimResponses(_ engine: Engine) async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply([
                .send(LoopbackReply.head(103, ["Link": "</a>"])), .send(LoopbackReply.head(102, [:])),
                .respond(status: 200, headers: ["X-Final": "yes"], body: Data("ok".utf8)),
            ])
        }
        defer { server.stop() }
        let request = try TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil))
        let result = try await engine.make().exchange(request)
        #expect(result.heads == 1)
        #expect(result.head?.headers["X-Final"] == "yes")
        #expect(result.head?.headers["Link"] == nil)
        #expect(result.text == "ok")
    }

    @Test("redirects and challenges are answers", arguments: Engine.allCases, [301, 302, 303, 307, 308, 401, 407, 500])
    func finalAnswers(_ engine: Engine, _ status: Int) async throws {
        let server = try LoopbackServer { request in
            .status(
                status,
                headers: ["Location": "/next", "WWW-Authenticate": "Basic realm=\"a\"", "Proxy-Authenticate": "Basic"],
                body: Data("body of \(status)".utf8))
        }
        defer { server.stop() }
        let result = try await engine.make().exchange(TransportRequest(method: .get, url: server.url))
        #expect(result.error == nil)
        #expect(result.head?.statusCode == status)
        #expect(result.text == "body of \(status)")
        #expect(server.requests.count == 1)
    }

    @Test("a connection is used again", arguments: Engine.allCases)
    func keepAlive(_ engine: Engine) async throws {
        let server = try LoopbackServer(Self.echo)
        defer { server.stop() }
        let transport = try engine.make()
        for _ in 0..<5 { _ = try await transport.exchange(TransportRequest(method: .get, url: server.url)) }
        #expect(server.requests.count == 5)
        #expect(server.connectionCount == 1)
    }

    @Test("content is sent again when the connection that was kept turns out to be dead", arguments: Engine.allCases)
    func staleConnection(_ engine: Engine) async throws {
        let server = try LoopbackServer { request in
            request.path == "/close"
                ? LoopbackReply([.respond(status: 200, headers: [:], body: Data()), .close]) : Self.echo(request)
        }
        defer { server.stop() }
        let transport = try engine.make()
        for _ in 0..<10 {
            _ = try await transport.exchange(TransportRequest(method: .get, url: server.url.appending(path: "close")))
            let result = try await transport.exchange(
                TransportRequest(method: .post, url: server.url, body: .data(Data("again".utf8))))
            #expect(result.error == nil)
            #expect(result.text == "again")
        }
    }

    @Test("failures are told apart", arguments: Engine.allCases)
    func failures(_ engine: Engine) async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/reset": LoopbackReply([.reset])
            case "/short": .raw("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nfour")
            default: .raw("this is no HTTP\r\n\r\n")
            }
        }
        defer { server.stop() }
        let transport = try engine.make()
        func kind(_ url: URL) async throws -> MoyaError.Kind? {
            try await transport.exchange(TransportRequest(method: .get, url: url)).error.map {
                MoyaError.underlying($0, nil).kind
            }
        }
        #expect(try await kind(server.url.appending(path: "reset")) == .connectionLost)
        #expect(try await kind(server.url.appending(path: "short")) == .connectionLost)
        #expect(try await kind(server.url.appending(path: "garbage")) == .badResponse)
        let closed = try LoopbackServer(Self.echo)
        closed.stop()
        #expect(try await kind(closed.url) == .unreachable)
    }

    @Test("a cancel gives one outcome, wherever it comes", arguments: Engine.allCases, ["start", "head", "content"])
    func cancel(_ engine: Engine, _ point: String) async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(
                (point == "content"
                    ? [.send(LoopbackReply.head(200, ["Content-Length": "100"])), .send(Data("some".utf8))] : [])
                    + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let exchanging = try Exchanging(
            TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil)), on: engine.make())
        switch point {
        case "content": try await exchanging.hasHead.value()
        case "head": try await until { server.requests.count == 1 }
        default: break
        }
        exchanging.cancel()
        exchanging.cancel()
        let result = try await exchanging.finished()
        #expect(result.error?.code == .cancelled)
        #expect(result.outcomes.count == 1)
    }
}

/// Waits for a condition, with a bound.
func until(_ condition: @escaping @Sendable () -> Bool) async throws {
    let held = Promise<Void>()
    @Sendable func look() {
        if condition() { return held.fulfil(()) }
        (DispatchScheduler.background as any Scheduler).schedule(after: .milliseconds(1)) { look() }
    }
    look()
    try await held.value()
}

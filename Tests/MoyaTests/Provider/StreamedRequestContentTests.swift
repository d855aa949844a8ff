import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// Content of requests that is produced while it is sent; the numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct StreamedRequestContentTests {
    private func chunks(_ texts: String...) -> AsyncStream<Data> {
        AsyncStream { continuation in
            for text in texts { continuation.yield(Data(text.utf8)) }
            continuation.finish()
        }
    }

    private func upload(_ body: RequestBody, to server: LoopbackServer, _ path: String = "/") -> Local {
        Local(server, path, method: .post, task: .upload(body, contentType: "text/plain"))
    }

    @Test("the content and its type are sent, with progress", arguments: TransportKind.allCases)
    func sends(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let progress = Box<[ProgressResponse]>([])
        let body = RequestBody.stream(length: 6) { chunks("abc", "def") }
        let response = try await provider.response(upload(body, to: server)) { event in
            progress.change { $0.append(event) }
        }
        try expectEqual(response.mapString(), "abcdef")
        expectEqual(server.requests.first?.headers["Content-Type"], "text/plain")
        expectEqual(server.requests.first?.headers["Content-Length"], "6")
        expectEqual(progress.value.map(\.progress), progress.value.map(\.progress).sorted())
        expectEqual(progress.value.last?.progress, 1)
    }

    @Test("without a type, the type is that of bytes, or of the extension of a file")
    func contentTypes() async throws {
        let server = try LoopbackServer { .text($0.headers["Content-Type"] ?? "none") }
        defer { server.stop() }
        let provider = MoyaProvider<Local>()
        let file = FileManager.default.temporaryDirectory.appending(path: "moya-\(UUID().uuidString).json")
        try Data("{}".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let expected: [(RequestBody, String)] = [
            (.data(Data("a".utf8)), "application/octet-stream"), (.file(file), "application/json"),
            (.stream { chunks("a") }, "application/octet-stream"),
        ]
        for (body, type) in expected {
            let target = Local(server, method: .post, task: .upload(body))
            try await expectEqual(provider.response(target).mapString(), type)
        }
    }

    @Test("a retry, a redirect and a refreshed credential open the content again", arguments: TransportKind.allCases)
    func opensAgain(_ kind: TransportKind) async throws {
        let attempts = Box(0)
        let server = try LoopbackServer { request in
            attempts.change { $0 += 1 }
            switch request.path {
            case "/retry" where attempts.value == 1: return .status(503, headers: ["Retry-After": "0"])
            case "/redirect": return .status(307, headers: ["Location": "/end"])
            case "/secret" where request.headers["Authorization"] != "Bearer new": return .status(401)
            default: return .echo(request)
            }
        }
        defer { server.stop() }
        let authentication = AuthenticationInterceptor(credential: "old") { token, request in
            request.headers["Authorization"] = "Bearer \(token)"
        } refresh: { _ in
            "new"
        }
        let provider = MoyaProvider<Local>(
            transport: try kind.make(),
            interceptors: [authentication, RetryInterceptor(RetryPolicy(times: 1), methods: [.post])])
        for path in ["/retry", "/redirect", "/secret"] {
            attempts.value = 0
            let opened = Box(0)
            let body = RequestBody.stream {
                opened.change { $0 += 1 }
                return chunks("ab", "cd")
            }
            let response = try await provider.response(upload(body, to: server, path))
            try expectEqual(response.mapString(), "abcd", "\(path)")
            expectEqual(opened.value, 2, "\(path)")
        }
    }

    @Test("content that can be read only once is still unread if no connection was made")
    func unreadContent() async throws {
        let server = try LoopbackServer { .echo($0) }
        server.stop()
        let transport = TransportKind.allCases[0]
        let provider = MoyaProvider<Local>(
            transport: try transport.make(), interceptors: [.retry(.constant(.zero, times: 2))])
        let request = upload(.stream(once: chunks("a")), to: server)
        let error = await #expect(throws: MoyaError.self) { try await provider.response(request) }
        expectEqual(error?.kind, .unreachable)
    }

    @Test("content that can be read only once is not sent again", arguments: TransportKind.allCases)
    func readsOnce(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .status(307, headers: ["Location": "/end"]) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let error = await #expect(throws: MoyaError.self) {
            try await provider.response(upload(.stream(once: chunks("a")), to: server))
        }
        expectEqual(error?.kind, .request)
        #expect(error.map { "\($0)" }?.contains("the content can be read only once") == true)
        #expect(error?.recoverySuggestion?.contains(".stream { … }") == true)
        expectEqual(server.requests.map(\.path), ["/"])
    }

    @Test(
        "7a-3: the error of the producer is the underlying error, is no error of the network, and is not retried",
        arguments: TransportKind.allCases)
    func producerFails(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(
            transport: try kind.make(), interceptors: [.retry(.constant(.zero, times: 2))])
        for failure in [Failure(id: 3), URLError(.timedOut), URLError(.cancelled)] as [any Error & Sendable] {
            let opened = Box(0)
            let body = RequestBody.stream {
                opened.change { $0 += 1 }
                return AsyncThrowingStream<Data, any Error> { $0.finish(throwing: failure) }
            }
            let error = await #expect(throws: MoyaError.self) {
                try await provider.response(upload(body, to: server))
            }
            expectEqual(error?.kind, .request)
            guard case .underlying(let failed as URLError, _) = error else {
                Issue.record("no URLError")
                continue
            }
            let underlying = try #require(failed.userInfo[NSUnderlyingErrorKey] as? any Error)
            expectEqual(underlying as NSError, failure as NSError)
            expectEqual(opened.value, 1)
        }
        #expect(server.requests.isEmpty)
    }

    @Test("stubs do not open the content, and streams do not share a request")
    func stubs() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let opened = Box(0)
        let body = RequestBody.stream {
            opened.change { $0 += 1 }
            return chunks("a")
        }
        let stubbed = MoyaProvider<Local>(stubClosure: { _ in .immediate })
        _ = try await stubbed.response(upload(body, to: server))
        expectEqual(opened.value, 0)
        let sharing = MoyaProvider<Local>(trackInflights: true)
        async let first = sharing.response(upload(body, to: server))
        async let second = sharing.response(upload(body, to: server))
        _ = try await (first, second)
        expectEqual(opened.value, 2)
        expectEqual(server.requests.count, 2)
    }

    @Test("a silent producer meets the idle deadline, in virtual time")
    func idle() async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(timeouts: Timeouts(idle: .seconds(5)), scheduler: time)
        let (content, input) = AsyncStream<Data>.makeStream()
        let hasStopped = Promise<Void>()
        input.onTermination = { _ in hasStopped.fulfill(()) }
        input.yield(Data("a".utf8))
        let result = Promise<MoyaError.Kind?>()
        let hasBegun = Promise<Void>()
        let body = RequestBody.stream {
            hasBegun.fulfill(())
            return content
        }
        provider.request(upload(body, to: server)) {
            if case .failure(let error) = $0 { result.fulfill(error.kind) } else { result.fulfill(nil) }
        }
        try await hasBegun.value()
        while !result.isFulfilled {
            time.advance(by: .seconds(1))
            await Task.yield()
        }
        try await expectEqual(result.value(), .timeout)
        try await hasStopped.value()
    }
}

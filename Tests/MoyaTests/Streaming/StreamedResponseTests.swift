import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct StreamedResponseTests {
    struct Event: Decodable, Equatable { var n: Int }

    @Test("head and content are delivered as they arrive", arguments: TransportKind.allCases)
    func arrives(_ kind: TransportKind) async throws {
        let read = Box(0)
        let server = try LoopbackServer { _ in
            let lines = (0..<3).flatMap { number in
                [LoopbackReply.Step.waitUntil { read.value >= number }, .send(Data("{\"n\": \(number)}\n".utf8))]
            }
            return LoopbackReply([.send(LoopbackReply.head(200, ["X-Kind": "lines"]))] + lines + [.close])
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let answer = try await provider.streamedResponse(Local(server))
        expectEqual(answer.statusCode, 200)
        expectEqual(answer.head.headers["X-Kind"], "lines")
        var events: [Event] = []
        for try await event in answer.jsonLines(Event.self) {
            events.append(event)
            read.value += 1
        }
        expectEqual(events, [Event(n: 0), Event(n: 1), Event(n: 2)])
    }

    @Test("a redirect that cannot be followed is an error, and no response", arguments: TransportKind.allCases)
    func failedRedirect(_ kind: TransportKind) async throws {
        let endless = [LoopbackReply.Step](
            repeating: .send(Data("400\r\n\(String(repeating: "a", count: 1024))\r\n".utf8)), count: 1000)
        let server = try LoopbackServer { _ in
            let head = LoopbackReply.head(302, ["Location": "ftp://a.example/", "Transfer-Encoding": "chunked"])
            // URLSession on Linux waits for the end.
            return LoopbackReply(
                [.send(head)] + endless
                    + (kind == .urlSession ? [.send(Data("0\r\n\r\n".utf8))] : [.waitUntil { false }]))
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let error = await #expect(throws: MoyaError.self) { try await provider.streamedResponse(Local(server)) }
        expectEqual(error?.kind, .badResponse)
        expectEqual(error?.response?.statusCode, 302)
    }

    @Test("the response of a streamed download has the file, and no content")
    func download() async throws {
        let directory = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        let file = directory.appending(path: "file")
        defer { try? FileManager.default.removeItem(at: directory) }
        let server = try LoopbackServer { _ in .text("content") }
        defer { server.stop() }
        let end = Promise<Result<Response, MoyaError>>()
        let call = MoyaProvider<Local>().requestStream(
            Local(server, task: .download(to: file)), receive: { _ in }, completion: { end.fulfill($0) })
        let response = try await end.value().get()
        expectEqual(response.fileURL, file)
        try expectEqual(String(contentsOf: file, encoding: .utf8), "content")
        #expect(response.data.isEmpty)
        withExtendedLifetime(call) {}
    }

    @Test("the last Content-Type counts, as in browsers", arguments: TransportKind.allCases)
    func lastContentType(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            let types =
                request.path == "/events" ? ["text/html", "text/event-stream"] : ["a/b", "text/plain; charset=latin1"]
            var headers = HTTPHeaders()
            for type in types { headers.add("Content-Type", type) }
            return .status(200, headers: headers, body: Data("data: 1\n\n".utf8) + [0xe9])
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        var events: [Int] = []
        for try await event in provider.events(Local(server, "/events"), as: Int.self) { events.append(event) }
        expectEqual(events, [1])
        try await expectEqual(provider.response(Local(server)).mapString(), "data: 1\n\n\u{e9}")
    }

    /// Counts the content that the default transport has delivered.
    private struct Counting: Transport {
        let received: Box<Int>
        var capabilities: TransportCapabilities { DefaultTransport.shared.capabilities }
        func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            DefaultTransport.shared.start(request) { events in
                receive(events)
                received.change { $0 += events.length }
            }
        }
    }

    @Test("a server is slowed down while the content is not read")
    func backpressure() async throws {
        let size = 20_000_000
        let written = Box(0)
        let server = try LoopbackServer { _ in
            let piece = Data(repeating: 1, count: size / 100)
            let steps = (0..<100).flatMap { number in
                [
                    LoopbackReply.Step.send(piece),
                    .waitUntil {
                        written.value = number + 1; return true
                    },
                ]
            }
            return LoopbackReply([.send(LoopbackReply.head(200, ["Content-Length": "\(size)"]))] + steps)
        }
        defer { server.stop() }
        // The content is not read for longer than the idle deadline, which does not fail the request: the server is not
        // idle.
        let time = VirtualTime()
        let delivered = Box(0)
        let provider = MoyaProvider<Local>(
            transport: Counting(received: delivered), timeouts: Timeouts(idle: .seconds(5)), scheduler: time)
        let answer = try await provider.streamedResponse(Local(server))
        try await until { delivered.value > 0 }
        time.advance(by: .seconds(60))
        #expect(written.value < 60)
        var received = 0
        for try await chunk in answer { received += chunk.count }
        expectEqual(received, size)
        expectEqual(written.value, 100)
    }

    @Test(
        "content that validation holds back does not stall a smaller window", arguments: TransportKind.allCases,
        [ValidationType.none, .successCodes])
    func smallWindows(_ kind: TransportKind, _ validation: ValidationType) async throws {
        struct Locked: TargetType {
            let baseURL: URL
            let path = "/"
            let validationType: ValidationType
        }
        for size in [60 << 10, 300_000] {
            let content = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) })
            let server = try LoopbackServer { _ in .status(500, body: content) }
            defer { server.stop() }
            let provider = MoyaProvider<Locked>(transport: try kind.make(), timeouts: Timeouts(idle: nil))
            let received = Box(Data())
            let end = Promise<Result<Response, MoyaError>>()
            let call = Promise<any TransportExchange>()
            call.fulfill(
                provider.requestStream(
                    Locked(baseURL: server.url, validationType: validation), window: 16 << 10,
                    receive: { part in
                        guard case .chunk(let data) = part else { return }
                        received.change { $0 += data }
                        Task { try await call.value().acknowledge(data.count) }
                    }, completion: { end.fulfill($0) }))
            let result = try await end.value(within: .seconds(60))
            if validation == .none {
                expectEqual(received.value, content)
                #expect(throws: Never.self) { try result.get() }
            } else {
                let error = #expect(throws: MoyaError.self) { try result.get() }
                expectEqual(error?.kind, .http)
                #expect(received.value.isEmpty)
                #expect((error?.response?.data.count ?? 0) >= min(size, 60 << 10))
            }
        }
    }

    @Test(
        "a response that validation refuses fails with its content, and is not delivered",
        arguments: TransportKind.allCases)
    func validation(_ kind: TransportKind) async throws {
        struct Strict: TargetType {
            var baseURL: URL
            var path = "/"
            var validationType = ValidationType.successCodes
        }
        let server = try LoopbackServer { _ in .status(404, body: Data("nothing here".utf8)) }
        defer { server.stop() }
        let provider = MoyaProvider<Strict>(transport: try kind.make())
        let error = await #expect(throws: MoyaError.self) {
            try await provider.streamedResponse(Strict(baseURL: server.url))
        }
        expectEqual(error?.kind, .http)
        try expectEqual(error?.response?.mapString(), "nothing here")
        let lenient = try await MoyaProvider<Local>().streamedResponse(Local(server))
        expectEqual(lenient.statusCode, 404)
        var text = ""
        for try await chunk in lenient { text += String(decoding: chunk, as: UTF8.self) }
        expectEqual(text, "nothing here")
    }

    private struct Strict: TargetType {
        var baseURL: URL
        var path = "/"
        var validationType = ValidationType.successCodes
    }

    @Test("the content of a refused response is read up to a limit")
    func endlessRefusal() async throws {
        let server = try LoopbackServer { _ in
            let chunk = LoopbackReply.Step.send(Data(repeating: 1, count: 50_000))
            return LoopbackReply([.send(LoopbackReply.head(500, [:])), chunk, chunk] + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let error = await #expect(throws: MoyaError.self) {
            try await MoyaProvider<Strict>().streamedResponse(Strict(baseURL: server.url))
        }
        expectEqual(error?.response?.statusCode, 500)
    }

    @Test("the error of a refused response has at most 64 KiB of content that arrives at once")
    func largeRefusal() async {
        let provider = MoyaProvider<Strict>(
            transport: StubTransport { _ in .networkResponse(404, Data(count: 1 << 20)) })
        let error = await #expect(throws: MoyaError.self) {
            try await provider.streamedResponse(Strict(baseURL: Page().baseURL))
        }
        expectEqual(error?.response?.data.count, 64 << 10)
    }

    @Test("each byte of a response is delivered once: the response of the result has no data", arguments: [200, 404])
    func deliversOnce(_ status: Int) async throws {
        let server = try LoopbackServer { _ in .status(status, body: Data("content".utf8)) }
        defer { server.stop() }
        struct Lenient: TargetType {
            let baseURL: URL
            let path = "/"
        }
        let (parts, done) = (Log(), Promise<Response?>())
        MoyaProvider<Lenient>().requestStream(
            Lenient(baseURL: server.url),
            receive: { part in if case .chunk(let data) = part { parts.add(String(decoding: data, as: UTF8.self)) } },
            completion: { done.fulfill(try? $0.get()) })
        let response = try #require(try await done.value())
        expectEqual(response.statusCode, status)
        expectEqual(response.headers["Content-Length"], "7")
        expectEqual(parts.entries, ["content"])
        #expect(response.data.isEmpty)
    }

    @Test("an interceptor may retry before content is delivered")
    func interceptors() async throws {
        let server = try LoopbackServer(replies: [.status(503), .text("later")])
        defer { server.stop() }
        let provider = MoyaProvider<Local>(interceptors: [.retry(.constant(.zero, times: 1))])
        let answer = try await provider.streamedResponse(Local(server))
        expectEqual(answer.statusCode, 200)
        var lines: [String] = []
        for try await line in answer.lines() { lines.append(line) }
        expectEqual(lines, ["later"])
    }

    @Test("releasing the response cancels the request, and so does cancelling the task")
    func cancels() async throws {
        struct Watching: PluginType {
            let outcome: Promise<MoyaError.Kind?>
            func didReceive(_ result: Result<Response, MoyaError>, target: any RelativeTarget) {
                if case .failure(let error) = result { outcome.fulfill(error.kind) } else { outcome.fulfill(nil) }
            }
        }
        let server = try LoopbackServer { _ in
            LoopbackReply([.send(LoopbackReply.head(200, [:])), .send(Data("x".utf8))] + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let first = Promise<MoyaError.Kind?>()
        _ = try await MoyaProvider<Local>(plugins: [Watching(outcome: first)]).streamedResponse(Local(server))
        try await expectEqual(first.value(), .cancelled)

        let second = Promise<MoyaError.Kind?>()
        let hasBegun = Promise<Void>()
        let task = Task {
            let answer = try await MoyaProvider<Local>(plugins: [Watching(outcome: second)]).streamedResponse(
                Local(server))
            for try await _ in answer { hasBegun.fulfill(()) }
        }
        try await hasBegun.value()
        task.cancel()
        try await expectEqual(second.value(), .cancelled)
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("stubs are streamed as a whole, or in chunks over time")
    func stubs() async throws {
        let whole = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub)
        var lines: [String] = []
        for try await line in try await whole.streamedResponse(.zen).lines() { lines.append(line) }
        expectEqual(lines, ["Half measures are as bad as nothing at all."])

        let time = VirtualTime()
        let log = Log()
        let pieces = MoyaProvider<MyService>(
            endpointClosure: { _ in
                let chunks = ["a\nb", "c\n"].map { Data($0.utf8) }
                return Endpoint(
                    url: "http://a.example/", sampleResponseClosure: { .chunks(200, chunks, every: .seconds(1)) })
            }, stubClosure: MoyaProvider.immediatelyStub, scheduler: time)
        pieces.requestStream(
            .zen,
            receive: { part in
                switch part {
                case .head(let head): log.add("head \(head.statusCode)")
                case .chunk(let data): log.add(String(decoding: data, as: UTF8.self))
                }
            }, completion: { result in log.add("end \((try? result.get().statusCode) ?? 0)") })
        time.run()
        expectEqual(log.entries, ["head 200", "a\nb", "c\n", "end 200"])
    }

    @Test("a response above the size limit fails before all of it is in memory", arguments: TransportKind.allCases)
    func maximumResponseSize(_ kind: TransportKind) async throws {
        struct Limited: TargetType {
            var baseURL: URL
            var path = "/"
            var options = RequestOptions()
        }
        let server = try LoopbackServer { _ in
            let chunk = LoopbackReply.Step.send(Data(repeating: 1, count: 50_000))
            return LoopbackReply(
                [.send(LoopbackReply.head(200, ["Content-Length": "1000000000"])), chunk, chunk]
                    + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Limited>(transport: try kind.make(), maximumResponseSize: 1000)
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Limited(baseURL: server.url)) }
        expectEqual(error?.kind, .badResponse)
        #expect(error?.description.contains("larger than the limit of 1000 bytes") == true)
        let small = try LoopbackServer { _ in .text("ok") }
        defer { small.stop() }
        try await expectEqual(provider.response(Limited(baseURL: small.url)).data.count, 2)
        let own = Limited(baseURL: small.url, options: RequestOptions(maximumResponseSize: 1))
        await #expect(throws: MoyaError.self) { try await provider.response(own) }
    }

    @Test("a receiver that cancels at the head receives nothing more, and the error cancelled", arguments: [200, 404])
    func cancelledAtHead(status: Int) async throws {
        let token = Box<(any Cancellable)?>(nil)
        let server = try LoopbackServer { _ in
            let head = LoopbackReply.head(status, ["Content-Length": "1"])
            return LoopbackReply([.waitUntil { token.value != nil }, .send(head + Data("a".utf8))])
        }
        defer { server.stop() }
        let log = Log()
        let outcome = Promise<Result<Response, MoyaError>>()
        let provider = MoyaProvider<Local>()
        token.value = provider.requestStream(Local(server)) { part in
            if case .head = part { token.value?.cancel() } else { log.add("content") }
        } completion: {
            outcome.fulfill($0)
        }
        let result = try await outcome.value()
        let error = #expect(throws: MoyaError.self) { try result.get() }
        expectEqual(error?.kind, .cancelled)
        expectEqual(log.entries, [])
    }
}

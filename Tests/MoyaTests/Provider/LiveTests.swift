import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A provider with real transports and sockets.
@Suite(.queued, .timeLimit(.minutes(10))) struct LiveTests {
    @Test("a response has its request, head, headers and metrics", arguments: TransportKind.allCases)
    func answer(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .json(#"{"a": [1, 2]}"#, status: 201) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let response = try await provider.response(Local(server, "/x", headers: ["X-A": "b"]))
        expectEqual(response.statusCode, 201)
        try expectEqual(response.mapJSON()["a"]?[1]?.int, 2)
        expectEqual(response.request?.url?.path, "/x")
        expectEqual(response.response?.statusCode, 201)
        expectEqual(response.headers["content-type"], "application/json")
        #expect(response.metrics?.total != nil)
        expectEqual(server.requests.first?.headers["x-a"], "b")
    }

    @Test("progress increases, and ends with the response", arguments: TransportKind.allCases)
    func progress(_ kind: TransportKind) async throws {
        let events = Box<[ProgressResponse]>([])
        let server = try LoopbackServer { _ in
            let quarter = LoopbackReply.Step.send(Data(repeating: 1, count: 1000))
            // Each quarter is sent after the progress of the previous one was reported.
            let quarters = (0..<4).flatMap { number in
                [LoopbackReply.Step.waitUntil { events.value.count >= number }, quarter]
            }
            return LoopbackReply([.send(LoopbackReply.head(200, ["Content-Length": "4000"]))] + quarters)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let response = try await provider.response(Local(server)) { event in events.change { $0.append(event) } }
        let progress = events.value.map(\.progress)
        expectEqual(response.data.count, 4000)
        #expect(progress.count > 3)
        expectEqual(progress, progress.sorted())
        expectEqual(progress.last, 1)
        expectEqual(events.value.map(\.completed), Array(repeating: false, count: progress.count - 1) + [true])
    }

    @Test("the idle deadline works in virtual time", arguments: TransportKind.allCases)
    func idleDeadline(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(
            transport: try kind.make(), timeouts: Timeouts(idle: .milliseconds(400)), scheduler: time)
        let outcome = Promise<MoyaError.Kind?>()
        provider.request(Local(server)) { result in
            if case .failure(let error) = result { outcome.fulfill(error.kind) } else { outcome.fulfill(nil) }
        }
        // The time begins again when the request is sent.
        try await until { !server.requests.isEmpty }
        time.advance(by: .milliseconds(399))
        #expect(!outcome.isFulfilled)
        time.advance(by: .milliseconds(1))
        try await expectEqual(outcome.value(), .timeout)
    }

    @Test("each received part restarts the idle deadline", arguments: TransportKind.allCases)
    func signsOfLife(_ kind: TransportKind) async throws {
        let pieces = 6
        let seen = (0..<pieces).map { _ in Promise<Void>() }
        let isDue = Box(0)
        let server = try LoopbackServer { _ in
            let steps = (0..<pieces).flatMap { number in
                [LoopbackReply.Step.waitUntil { isDue.value >= number }, .send(Data("\(number)".utf8))]
            }
            return LoopbackReply([.send(LoopbackReply.head(200, ["Content-Length": "\(pieces)"]))] + steps)
        }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(
            transport: try kind.make(), timeouts: Timeouts(idle: .milliseconds(400)), scheduler: time)
        let text = Promise<String>()
        provider.request(Local(server)) { progress in
            if let last = seen.prefix(Int(progress.completedUnitCount)).last { last.fulfill(()) }
        } completion: { result in
            text.fulfill((try? result.get().mapString()) ?? "\(result)")
        }
        for number in 0..<pieces {
            isDue.value = number
            try await seen[number].value()
            if number < pieces - 1 { time.advance(by: .milliseconds(300)) }
        }
        try await expectEqual(text.value(), "012345")
    }

    @Test("the total deadline works in virtual time", arguments: TransportKind.allCases)
    func totalDeadline(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(
            transport: try kind.make(), timeouts: Timeouts(idle: nil, total: .seconds(30)), scheduler: time)
        let outcome = Promise<MoyaError.Kind?>()
        provider.request(Local(server)) { result in
            if case .failure(let error) = result { outcome.fulfill(error.kind) } else { outcome.fulfill(nil) }
        }
        time.advance(by: .milliseconds(29_999))
        #expect(!outcome.isFulfilled)
        time.advance(by: .milliseconds(1))
        try await expectEqual(outcome.value(), .timeout)
    }

    @Test("a request that cannot be sent fails before, with the reason", arguments: TransportKind.allCases)
    func refusals(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let transport = try kind.make()
        func reason(_ change: @escaping @Sendable (inout URLRequest) -> Void) async -> String {
            let provider = MoyaProvider<Local>(
                requestClosure: { endpoint, done in
                    guard var request = try? endpoint.urlRequest() else { return }
                    change(&request)
                    done(.success(request))
                },
                transport: transport)
            let error = await #expect(throws: MoyaError.self) { try await provider.response(Local(server)) }
            expectEqual(error?.kind, .request)
            return error?.description ?? ""
        }
        #expect(
            await reason { $0.url = URL(string: "ftp://a.example/") }.contains("is not an absolute http or https URL"))
        #expect(
            await reason { $0.url = URL(string: "file:///etc/passwd") }.contains("is not an absolute http or https URL")
        )
        #expect(await reason { $0.httpMethod = "GET / HTTP/1.1\r\nX: y" }.contains("is not a method"))
        #expect(
            await reason { $0.setValue("b", forHTTPHeaderField: "X-A: 1\r\nX-Inj") }.contains("is not a header name"))
        #expect(
            await reason { $0.setValue("3", forHTTPHeaderField: "content-length") }.contains("set by the transport"))
        #expect(
            await reason { $0.setValue("chunked", forHTTPHeaderField: "Transfer-Encoding") }.contains(
                "set by the transport"))
        #expect(server.requests.isEmpty)
    }

    @Test("a hundred tasks share a provider and receive all responses", arguments: TransportKind.allCases)
    func manyTasks(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .text($0.path) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for number in 0..<100 {
                group.addTask { try await provider.response(Local(server, "/\(number)")).mapString() }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        expectEqual(texts, Set((0..<100).map { "/\($0)" }))
    }

    @Test("content without a content type is declared as bytes", arguments: TransportKind.allCases)
    func contentType(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { .echo($0) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        _ = try await provider.response(Local(server, method: .post, task: .requestData(Data("a".utf8))))
        expectEqual(server.requests.first?.headers["Content-Type"], "application/octet-stream")
    }

    @Test(
        "a cancel on another thread during a progress callback completes after that callback",
        arguments: TransportKind.allCases)
    func completionWaitsForProgress(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply(
                [.send(LoopbackReply.head(200, ["Content-Length": "9"])), .send(Data("some".utf8))]
                    + LoopbackReply.silence.steps)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        let log = Log()
        let call = Box<(any Cancellable)?>(nil)
        let done = Promise<Void>()
        let progressed = Promise<Void>()
        call.value = provider.request(
            Local(server),
            progress: { progress in
                // The last event, after the cancel, has the same number of bytes.
                guard progress.completedUnitCount > 0, !progressed.isFulfilled else { return }
                log.add("progress")
                _ = finishesOnAnotherThread { [call] in
                    while call.value == nil {}
                    call.value?.cancel()
                }
                log.add("progress ends")
                progressed.fulfill(())
            }
        ) { _ in
            log.add("completion")
            done.fulfill(())
        }
        try await done.value()
        try await progressed.value()
        expectEqual(log.entries, ["progress", "progress ends", "completion"])
    }

    @Test("a transport is released with its last request, whatever its outcome", arguments: TransportKind.allCases)
    func releasesTheTransport(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            switch request.path {
            case "/moved": .status(302, headers: ["Location": "/"])
            case "/reset": .reset
            case "/silence": .silence
            default: .text("ok")
            }
        }
        defer { server.stop() }
        final class Held: Transport {
            let transport: any Transport
            init(_ transport: any Transport) { self.transport = transport }
            var capabilities: TransportCapabilities { transport.capabilities }
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                transport.start(request) { events in withExtendedLifetime(self) { receive(events) } }
            }
        }
        for path in ["/", "/moved", "/reset", "/silence"] {
            let released = Box<@Sendable () -> Bool>({ false })
            do {
                let held = Held(try kind.make())
                released.value = { [weak held] in held == nil }
                let provider = MoyaProvider<Local>(transport: held)
                let done = Promise<Void>()
                let call = provider.request(Local(server, path)) { _ in done.fulfill(()) }
                if path == "/silence" {
                    try await until { server.requests.last?.path == path }
                    call.cancel()
                }
                try await done.value()
            }
            try await until { released.value() }
        }
    }

    @Test("without a length, or with an invalid one, progress is 0 until the end", arguments: TransportKind.allCases)
    func unknownLength(_ kind: TransportKind) async throws {
        let events = Box<[ProgressResponse]>([])
        let server = try LoopbackServer { _ in
            let chunks = (0..<4).flatMap { number in
                [LoopbackReply.Step.waitUntil { events.value.count >= number }, .send(Data("1\r\nx\r\n".utf8))]
            }
            let head = LoopbackReply.head(200, ["Transfer-Encoding": "chunked"])
            return LoopbackReply([.send(head)] + chunks + [.send(Data("0\r\n\r\n".utf8))])
        }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        _ = try await provider.response(Local(server)) { event in events.change { $0.append(event) } }
        expectEqual(events.value.map(\.progress), [0, 0, 0, 0, 1])
        expectEqual(events.value.map(\.completedUnitCount), [1, 2, 3, 4, 4])
    }

    @Test("progress and plugins treat the requests of a redirect as one exchange")
    func oneExchange() async throws {
        let server = try LoopbackServer { request in
            request.path == "/end" ? .status(200) : .status(302, headers: ["Location": "/end"])
        }
        defer { server.stop() }
        let log = Log()
        let provider = MoyaProvider<Local>(plugins: [Witness(name: "A", log: log)])
        let task = RequestTask.requestData(Data("12345".utf8))
        let counts = Box<[Int64]>([])
        let target = Local(server, "/start", method: .put, task: task)
        _ = try await provider.response(target) { event in counts.change { $0.append(event.completedUnitCount) } }
        expectEqual(log.entries, ["A.prepare", "A.willSend", "A.didReceive", "A.process"])
        expectEqual(counts.value, [5, 5])
    }
}

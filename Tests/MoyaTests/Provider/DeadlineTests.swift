import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The contents of the error of a deadline.
@Suite(.queued, .timeLimit(.minutes(10))) struct DeadlineTests {
    @Test(
        "the error has the deadline, its duration and the target",
        arguments: [
            (Timeouts(idle: .milliseconds(1500)), "nothing was sent or received for 1.5 seconds"),
            (Timeouts(idle: nil, total: .seconds(1)), "it took longer than 1 second in total"),
        ])
    func saysWhich(_ timeouts: Timeouts, _ reason: String) async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(timeouts: timeouts, scheduler: time)
        let outcome = Promise<Result<Response, MoyaError>>()
        provider.request(Local(server, "/secret")) { outcome.fulfill($0) }
        time.advance(by: .seconds(2))
        let result = try await outcome.value()
        let error = #expect(throws: MoyaError.self) { try result.get() }
        expectEqual(error?.kind, .timeout)
        let request = "GET \(server.url.appending(path: "secret").absoluteString)"
        expectEqual(error?.description, "\(request): the request for Local timed out: \(reason)")
    }

    @Test("a deadline that passes before a retry names the request, too")
    func namesTheRequestBeforeARetry() async throws {
        let server = try LoopbackServer { _ in .status(503) }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(
            interceptors: [.retry(.constant(.seconds(60), times: 3))], timeouts: Timeouts(idle: nil, total: .seconds(1))
        )
        let error = await #expect(throws: MoyaError.self) { try await provider.response(Local(server, "/x")) }
        expectEqual(error?.kind, .timeout)
        #expect(error?.description.hasPrefix("GET \(server.url.appending(path: "x").absoluteString): ") == true)
    }

    @Test("a timeoutInterval of 60 that is set on the request is an idle deadline of 60 seconds")
    func sixtySeconds() async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        for (number, interval) in ([nil, 60, 61] as [Double?]).enumerated() {
            let time = VirtualTime()
            let provider = MoyaProvider<Local>(
                requestClosure: { endpoint, done in
                    MoyaProvider<Local>.defaultRequestMapping(for: endpoint) { result in
                        done(
                            result.map { request in
                                var request = request
                                if let interval { request.timeoutInterval = interval }
                                return request
                            })
                    }
                }, timeouts: Timeouts(idle: .seconds(10)), scheduler: time)
            let isOver = Box(false)
            provider.request(Local(server)) { _ in isOver.value = true }
            // The time begins again when the request is sent.
            try await until { server.requests.count == number + 1 }
            time.advance(by: .seconds(interval ?? 10) - .milliseconds(1))
            #expect(!isOver.value)
            time.advance(by: .milliseconds(1))
            #expect(isOver.value)
        }
    }

    /// A transport that delivers events when the test calls it, and counts the consumed bytes.
    private final class Pausing: Transport {
        let receive = Box<(@Sendable (TransportEvents) -> Void)?>(nil)
        let consumed = Box(0)
        var capabilities: TransportCapabilities { [.backpressure] }

        struct Exchange: TransportExchange {
            let consumed: Box<Int>
            var isCancelled: Bool { false }
            func cancel() {}
            func acknowledge(_ bytes: Int) { consumed.change { $0 += bytes } }
        }

        func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            self.receive.value = receive
            return Exchange(consumed: consumed)
        }

        func send(_ events: TransportEvents) { receive.value?(events) }
    }

    @Test("the idle deadline restarts when a slow reader consumes content")
    func acknowledging() throws {
        let time = VirtualTime()
        let transport = Pausing()
        let provider = MoyaProvider<Absolute>(
            callbackQueue: time, transport: transport, timeouts: Timeouts(idle: .seconds(10)), scheduler: time)
        let chunks = Box(0)
        let outcome = Box<Result<Response, MoyaError>?>(nil)
        let call = provider.requestStream(.zen, window: 4) { part in
            if case .chunk = part { chunks.change { $0 += 1 } }
        } completion: {
            outcome.value = $0
        }
        transport.send(
            TransportEvents(
                head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]), chunks: [Data("1234".utf8)]))
        // All callbacks run on the clock, so none is still running on another thread.
        time.advance(by: .zero)
        expectEqual(chunks.value, 1)
        time.advance(by: .seconds(15))
        call.acknowledge(4)
        expectEqual(transport.consumed.value, 4)
        time.advance(by: .milliseconds(9999))
        #expect(outcome.value == nil)
        time.advance(by: .seconds(10))
        #expect(throws: MoyaError.self) { try outcome.value?.get() }
    }

    /// Runs delayed work later than requested, as after a suspension of the process.
    private struct LateScheduler: Scheduler {
        let time: VirtualTime
        /// How much later the next wake-ups come.
        let lateness: Box<[Duration]>
        var now: Duration { time.elapsed }

        func schedule(
            after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
        ) -> any Cancellable {
            var late = Duration.zero
            lateness.change { if !$0.isEmpty { late = $0.removeFirst() } }
            return time.schedule(after: delay + late, fileID: fileID, line: line, work)
        }
    }

    @Test(
        "a wake-up that is late does not end a request before waiting bytes could be read, once per silence",
        arguments: [
            ([], 10), ([.seconds(60)], 80), ([.seconds(60), .seconds(60)], 140), ([.milliseconds(500)], 10.5),
        ] as [([Duration], Double)])
    func lateWakeUp(_ lateness: [Duration], _ end: Double) {
        let scheduler = LateScheduler(time: VirtualTime(), lateness: Box(lateness))
        let provider = MoyaProvider<Absolute>(
            transport: SilentTransport(), timeouts: Timeouts(idle: .seconds(10)), scheduler: scheduler)
        let kind = Box<MoyaError.Kind?>(nil)
        provider.request(.zen) { if case .failure(let error) = $0 { kind.value = error.kind } }
        scheduler.time.run()
        expectEqual(kind.value, .timeout)
        expectEqual(scheduler.now, .seconds(end))
    }

    @Test("after a late wake-up, bytes that have waited in the socket restart the idle deadline")
    func bytesAfterLateWakeUp() async throws {
        let scheduler = LateScheduler(time: VirtualTime(), lateness: Box([.seconds(60)]))
        let transport = Pausing()
        let provider = MoyaProvider<Absolute>(
            transport: transport, timeouts: Timeouts(idle: .seconds(10)), scheduler: scheduler)
        let outcome = Promise<Result<Response, MoyaError>>()
        provider.request(.zen) { outcome.fulfill($0) }
        scheduler.time.advance(by: .seconds(71))
        #expect(!outcome.isFulfilled)
        transport.send(TransportEvents(head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:])))
        scheduler.time.advance(by: .milliseconds(9999))
        #expect(!outcome.isFulfilled)
        transport.send(TransportEvents(outcome: TransportOutcome(error: nil)))
        try await expectEqual(outcome.value().get().statusCode, 200)
    }

    private enum Absolute: TargetType {
        case zen
        var baseURL: URL { URL(string: "http://a.example") ?? URL(filePath: "/") }
        var path: String { "/zen" }
    }

    @Test(
        "the error of a deadline has the content that was received before", arguments: TransportKind.allCases,
        [Timeouts(idle: .milliseconds(400)), Timeouts(idle: nil, total: .milliseconds(400))])
    func carriesWhatWasReceived(_ kind: TransportKind, _ timeouts: Timeouts) async throws {
        let server = try LoopbackServer { _ in
            LoopbackReply([
                .send(LoopbackReply.head(203, ["Content-Length": "8", "X-A": "b"])), .send(Data("half".utf8)),
                .wait(.seconds(3600)),
            ])
        }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(transport: try kind.make(), timeouts: timeouts, scheduler: time)
        let hasCome = Promise<Void>()
        let outcome = Promise<Result<Response, MoyaError>>()
        provider.request(Local(server, "/x")) { progress in
            if progress.completedUnitCount == 4 { hasCome.fulfill(()) }
        } completion: { result in
            outcome.fulfill(result)
        }
        try await hasCome.value()
        // The progress closure may still be running, and suspends the idle deadline meanwhile.
        try await until {
            time.advance(by: .milliseconds(400))
            return outcome.isFulfilled
        }
        guard case .failure(let error) = try await outcome.value() else {
            Issue.record("it succeeds")
            return
        }
        expectEqual(error.kind, .timeout)
        expectEqual(error.response?.statusCode, 203)
        expectEqual(error.response?.headers["X-A"], "b")
        expectEqual(error.response?.data, Data("half".utf8))
        expectEqual(error.response?.request?.url?.path, "/x")
    }

    @Test("the error of a stub that times out has the chunks that were delivered before")
    func carriesPiecesOfAStub() {
        struct Piecemeal: TargetType {
            let baseURL = URL(filePath: "/").absoluteURL
            let path = "/"
        }
        let time = VirtualTime()
        let provider = MoyaProvider<Piecemeal>(
            endpointClosure: { _ in
                Endpoint(
                    url: "http://a.example/",
                    sampleResponseClosure: {
                        .chunks(200, ["one,", "two,", "three"].map { Data($0.utf8) }, every: .seconds(1))
                    })
            }, stubClosure: { _ in .immediate }, timeouts: Timeouts(idle: nil, total: .milliseconds(2500)),
            scheduler: time)
        let error = Box<MoyaError?>(nil)
        provider.request(Piecemeal()) { result in
            if case .failure(let failure) = result { error.value = failure }
        }
        time.advance(by: .milliseconds(2499))
        #expect(error.value == nil)
        time.advance(by: .milliseconds(1))
        expectEqual(error.value?.kind, .timeout)
        expectEqual(error.value?.response?.statusCode, 200)
        expectEqual(error.value?.response?.data, Data("one,two,".utf8))
    }

    @Test("the error of a deadline without a response has no response", arguments: TransportKind.allCases)
    func carriesNothing(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .silence }
        defer { server.stop() }
        let time = VirtualTime()
        let provider = MoyaProvider<Local>(
            transport: try kind.make(), timeouts: Timeouts(idle: .seconds(1)), scheduler: time)
        let outcome = Promise<Result<Response, MoyaError>>()
        provider.request(Local(server)) { outcome.fulfill($0) }
        try await until { !server.requests.isEmpty }
        time.advance(by: .seconds(1))
        guard case .failure(let error) = try await outcome.value() else {
            Issue.record("it succeeds")
            return
        }
        expectEqual(error.kind, .timeout)
        #expect(error.response == nil)
    }
}

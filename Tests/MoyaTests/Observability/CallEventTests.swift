import Dispatch
import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct CallEventTests {
    private let recorder = EventRecorder()
    private let time = VirtualTime()

    private func provider(
        _ transport: any Transport = ScriptedOrigin.redirecting(), stub: StubBehavior = .never,
        interceptors: [any RequestInterceptor] = [], trackInflights: Bool = false, timeouts: Timeouts = Timeouts(),
        requestClosure: MoyaProvider<Page>.RequestClosure? = nil, plugins: [any PluginType] = [],
        scheduler: any Scheduler = .background
    ) -> MoyaProvider<Page> {
        MoyaProvider<Page>(
            requestClosure: requestClosure, stubClosure: { _ in stub }, transport: transport, plugins: plugins,
            interceptors: interceptors, trackInflights: trackInflights, timeouts: timeouts, scheduler: scheduler,
            observers: [recorder])
    }

    // MARK: Paths to the end

    @Test("1: a response")
    func response() async throws {
        _ = try await provider().response(Page())
        let events = try await recorder.events()
        expectEqual(events.map(\.name), ["started", "sending /a", "receiving 200", "exchanged ", "ended 200"])
        expectEqual(events.map(\.attempt), [0, 1, 1, 1, 1])
        expectEqual(events.map(\.exchange), [0, 1, 1, 1, 1])
        expectEqual(Set(events.map(\.call)).count, 1)
        expectEqual(events.map(\.time), events.map(\.time).sorted())
    }

    @Test("1: a stub has no exchanges, on the clock of the test")
    func stub() throws {
        let provider = provider(stub: .delayed(seconds: 3), scheduler: time)
        provider.request(Page()) { _ in }
        time.run()
        expectOrder(recorder.events)
        expectEqual(recorder.names, ["started", "ended 200"])
        guard case .ended(_, let duration) = recorder.events.last?.kind else {
            Issue.record("no end")
            return
        }
        expectEqual(duration, .seconds(3))
    }

    @Test("1: a cancel before the request is made")
    func cancelBeforeStart() {
        let later = Box<(@Sendable () -> Void)?>(nil)
        let provider = provider(
            requestClosure: { endpoint, done in
                later.value = { MoyaProvider<Page>.defaultRequestMapping(for: endpoint, closure: done) }
            }, scheduler: time)
        let call = provider.request(Page()) { _ in }
        call.cancel()
        call.cancel()
        later.value?()
        time.run()
        expectOrder(recorder.events)
        expectEqual(recorder.names, ["started", "ended cancelled"])
    }

    @Test("1: a request that cannot be made")
    func impossibleRequest() {
        let provider = provider(
            requestClosure: { _, done in done(.failure(.requestMapping("no"))) }, scheduler: time)
        provider.request(Page()) { _ in }
        time.run()
        expectOrder(recorder.events)
        expectEqual(recorder.names, ["started", "ended request"])
    }

    @Test("1: a cancel while the response is awaited ends the exchange first")
    func cancelWhileWaiting() async throws {
        let silent = SilentOrigin()
        let call = provider(silent).request(Page()) { _ in }
        try await until { silent.count == 1 }
        call.cancel()
        let names = try await recorder.names()
        expectEqual(names, ["started", "sending /a", "exchanged cancelled", "ended cancelled"])
    }

    @Test("1: a deadline cancels the exchange")
    func deadline() {
        let provider = provider(SilentOrigin(), timeouts: Timeouts(total: .seconds(2)), scheduler: time)
        provider.request(Page(), callbackQueue: time) { _ in }
        time.run()
        expectOrder(recorder.events)
        expectEqual(recorder.names, ["started", "sending /a", "exchanged timeout", "ended timeout"])
        expectEqual(recorder.events.compactMap(\.exchanged).map(\.duration), [.seconds(2)])
    }

    @Test("1: a lost connection, and a result that a plugin has changed")
    func failures() async throws {
        struct Hiding: PluginType {
            func process(
                _ result: Result<Response, MoyaError>, target: any RelativeTarget
            ) -> Result<Response, MoyaError> { .success(Response(statusCode: 299, data: Data())) }
        }
        _ = try? await provider().response(Page(path: "/lost"))
        try await expectEqual(
            recorder.names(), ["started", "sending /lost", "exchanged connectionLost", "ended connectionLost"])
        _ = try await provider(plugins: [Hiding()]).response(Page(path: "/lost"))
        try await expectEqual(recorder.names(afterEnds: 2).last, "ended 299")
    }

    @Test("1, 6: a call that joins another one is linked to it, and has no exchange of its own")
    func joins() {
        let provider = provider(stub: .delayed(seconds: 1), trackInflights: true, scheduler: time)
        provider.request(Page()) { _ in }
        provider.request(Page()) { _ in }
        time.run()
        expectOrder(recorder.events)
        let first = recorder.events.first?.call ?? 0
        expectEqual(recorder.names, ["started", "started", "joined \(first)", "ended 200", "ended 200"])
        #expect(recorder.events.last?.call != first)
    }

    @Test("1: after the first call is cancelled, the exchanges are those of the next one")
    func inherits() async throws {
        let origin = SlowOrigin()
        let provider = provider(origin, trackInflights: true)
        let first = provider.request(Page(path: "/1")) { _ in }
        provider.request(Page(path: "/1")) { _ in }
        try await until { origin.isWaiting }
        first.cancel()
        origin.respond(ResponseHead(statusCode: 302, version: "HTTP/1.1", headers: ["Location": "/0"]))
        try await until { origin.isWaiting }
        origin.respond(ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]))
        let events = try await recorder.events(afterEnds: 2)
        let ids = events.map(\.call).reduce(into: [UInt64]()) { if !$0.contains($1) { $0.append($1) } }
        expectEqual(
            events.filter { $0.call == ids[0] }.map(\.name),
            ["started", "sending /1", "exchanged cancelled", "ended cancelled"])
        expectEqual(
            events.filter { $0.call == ids[1] }.map(\.name),
            ["started", "joined \(ids[0])", "sending /0", "receiving 200", "exchanged ", "ended 200"])
    }

    // MARK: Nesting

    @Test("2: redirects are exchanges of one attempt, repetitions of the next one")
    func nesting() async throws {
        let origin = ScriptedOrigin { request, number in
            switch (request.url.path, number) {
            case ("/1", _): (302, ["Location": "/0"], "")
            case (_, 2): (503, [:], "")
            default: (200, [:], "")
            }
        }
        _ = try await provider(origin, interceptors: [.retry(.constant(.zero, times: 1))]).response(Page(path: "/1"))
        let events = try await recorder.events()
        expectEqual(
            events.map(\.name),
            [
                "started", "sending /1", "receiving 302", "exchanged ", "sending /0", "receiving 503", "exchanged 503",
                "retrying 0.0 seconds http", "sending /1", "receiving 302", "exchanged ", "sending /0", "receiving 200",
                "exchanged ", "ended 200",
            ])
        expectEqual(events.map(\.attempt), [0, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2])
        expectEqual(events.map(\.exchange), [0, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 4, 4])
    }

    @Test("2: a repetition after a deadline says why, and ends the exchange first")
    func retriesAfterDeadline() {
        let provider = provider(
            SilentOrigin(), interceptors: [.retry(.constant(.zero, times: 1))],
            timeouts: Timeouts(attempt: .milliseconds(5)), scheduler: time)
        provider.request(Page()) { _ in }
        time.run()
        expectOrder(recorder.events)
        expectEqual(
            recorder.names,
            [
                "started", "sending /a", "exchanged timeout", "retrying 0.0 seconds timeout", "sending /a",
                "exchanged timeout", "ended timeout",
            ])
        expectEqual(time.elapsed, .milliseconds(10))
    }

    @Test("1: the duration of an exchange does not contain what an interceptor needs to decide")
    func slowDecision() {
        let deciding = AsyncInterceptor(retry: { [time] _ in
            try? await time.sleep(for: .seconds(2))
            return .doNotRetry
        })
        let provider = provider(
            SilentOrigin(), interceptors: [deciding], timeouts: Timeouts(attempt: .milliseconds(5)), scheduler: time)
        provider.request(Page()) { _ in }
        time.run()
        expectEqual(recorder.names, ["started", "sending /a", "exchanged timeout", "ended timeout"])
        expectEqual(recorder.events.compactMap(\.exchanged).map(\.duration), [.milliseconds(5)])
        expectEqual(time.elapsed, .milliseconds(2005))
    }

    @Test("1: cancels that race with responses leave the order intact")
    func races() async throws {
        let origin = ScriptedOrigin.redirecting()
        let provider = provider(origin.throttledByThreads(), trackInflights: true)
        for _ in 0..<200 {
            let calls = (0..<3).map { _ in provider.request(Page(path: "/2")) { _ in } }
            inParallel(calls) { $0.cancel() }
        }
        let events = try await recorder.events(afterEnds: 600)
        expectEqual(events.count { $0.name.hasPrefix("ended") }, 600)
    }
}

/// Responds when a test says so.
private final class SlowOrigin: Transport {
    private let receivers = Box<[@Sendable (TransportEvents) -> Void]>([])

    var capabilities: TransportCapabilities { [] }
    var isWaiting: Bool { !receivers.value.isEmpty }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        receivers.change { $0.append(receive) }
        return FinishedExchange()
    }

    func respond(_ head: ResponseHead) {
        let waiting = receivers.value
        receivers.value = []
        for receive in waiting { receive(TransportEvents(head: head, outcome: TransportOutcome(error: nil))) }
    }
}

extension Transport {
    /// The same with responses that arrive on another thread.
    fileprivate func throttledByThreads() -> ThrottledTransport {
        throttled(to: NetworkConditions(roundTrip: .microseconds(50)), on: .queue(.global()))
    }
}

import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A transport that never responds by itself, and counts its exchanges.
struct SilentTransport: Transport {
    private struct Exchange: TransportExchange {
        let cancels: Box<Int>
        var isCancelled: Bool { false }
        func cancel() { cancels.change { $0 += 1 } }
        func acknowledge(_ bytes: Int) {}
    }

    let receivers = Box<[@Sendable (TransportEvents) -> Void]>([])
    let cancels = Box(0)
    var capabilities: TransportCapabilities { [] }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        receivers.change { $0.append(receive) }
        return Exchange(cancels: cancels)
    }
}

/// An interceptor that logs its decisions, and can stop responding.
private struct Stalling: RequestInterceptor {
    enum Step { case adapt, retry, none }

    struct Token: Cancellable {
        let log: Log
        var isCancelled: Bool { false }
        func cancel() { log.add("cancel") }
    }

    let step: Step
    let log: Log

    func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        log.add("adapt")
        if step != .adapt { done(.success(request)) }
        return Token(log: log)
    }

    func retry(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) -> any Cancellable {
        log.add("retry")
        if step != .retry { done(.doNotRetry) }
        return Token(log: log)
    }

    func sharingKey(for target: any RelativeTarget) -> String? { "" }
}

@Suite(.queued, .timeLimit(.minutes(10))) struct TotalTimeoutTests {
    private struct Thing: TargetType {
        let baseURL = URL(string: "https://a.example/") ?? URL(filePath: "/")
        let path = "/"
    }

    private let time = VirtualTime()
    private let silence = SilentTransport()
    private let log = Log()

    @discardableResult
    private func send(
        _ name: String, on provider: MoyaProvider<Thing>, progress: MoyaProvider<Thing>.ProgressBlock? = nil
    ) -> any Cancellable {
        provider.request(Thing(), progress: progress) { [log, time] result in
            switch result {
            case .success(let response): log.add("\(name) \(response.statusCode) at \(time.elapsed)")
            case .failure(let error): log.add("\(name) \(error.kind) at \(time.elapsed)")
            }
        }
    }

    private func stubbed(_ status: Int) -> MoyaProvider<Thing>.EndpointClosure {
        { _ in Endpoint(url: "https://a.example/", sampleResponseClosure: { .networkResponse(status, Data()) }) }
    }

    @Test("the total covers all attempts and the delays between them")
    func coversRetries() {
        let provider = MoyaProvider<Thing>(
            endpointClosure: stubbed(503), stubClosure: MoyaProvider.immediatelyStub,
            interceptors: [.retry(.constant(.seconds(1), times: 10))],
            timeouts: Timeouts(total: .milliseconds(3500)), scheduler: time)
        let text = Box("")
        provider.request(Thing()) { result in
            if case .failure(let error) = result { text.value = error.description }
        }
        time.run()
        expectEqual(time.elapsed, .milliseconds(3500))
        let reason = "the request for Thing timed out: it took longer than 3.5 seconds in total"
        expectEqual(text.value, "GET https://a.example/: \(reason)")
    }

    @Test("a call whose total passes before it is repeated has the response that was to be repeated")
    func totalBeforeRepetition() {
        let provider = MoyaProvider<Thing>(
            transport: ScriptedOrigin { _, _ in (503, ["Retry-After": "30"], "maintenance") },
            interceptors: [.retry(.constant(.zero, times: 3))], timeouts: Timeouts(total: .seconds(2)), scheduler: time)
        let error = Box<MoyaError?>(nil)
        provider.request(Thing(), callbackQueue: time) { error.value = $0.failure }
        time.run()
        expectEqual(time.elapsed, .seconds(2))
        expectEqual(error.value?.kind, .timeout)
        expectEqual(error.value?.response?.statusCode, 503)
        expectEqual((try? error.value?.response?.mapString()), "maintenance")
    }

    @Test("a request is not repeated after the total, and plugins see the timeout once")
    func isNotRetried() {
        let provider = MoyaProvider<Thing>(
            transport: silence, plugins: [Witness(name: "A", log: log)],
            interceptors: [.retry(times: 3), Stalling(step: .none, log: log)],
            timeouts: Timeouts(idle: nil, total: .seconds(1)), scheduler: time)
        send("one", on: provider)
        time.run()
        expectEqual(silence.receivers.value.count, 1)
        expectEqual(silence.cancels.value, 1)
        expectEqual(
            log.entries,
            [
                "adapt", "A.prepare", "A.willSend", "A.didReceive", "A.process", "one timeout at 1.0 seconds",
            ])
    }

    @Test("the total ends a call whose interceptor does not respond", arguments: [true, false])
    func coversInterceptors(_ adapts: Bool) {
        let provider = MoyaProvider<Thing>(
            endpointClosure: stubbed(500), stubClosure: MoyaProvider.immediatelyStub,
            interceptors: [Stalling(step: adapts ? .adapt : .retry, log: log)],
            timeouts: Timeouts(total: .seconds(2)), scheduler: time)
        let call = send("one", on: provider)
        time.run()
        #expect(log.entries == (adapts ? ["adapt"] : ["adapt", "retry"]) + ["cancel", "one timeout at 2.0 seconds"])
        #expect(!call.isCancelled)
    }

    @Test("the total ends a call whose request closure does not respond")
    func coversRequestClosure() {
        let late = Box<MoyaProvider<Thing>.RequestResultClosure?>(nil)
        let provider = MoyaProvider<Thing>(
            requestClosure: { _, done in late.value = done }, transport: silence,
            timeouts: Timeouts(total: .seconds(2)), scheduler: time)
        send("one", on: provider)
        time.run()
        expectEqual(log.entries, ["one timeout at 2.0 seconds"])
        late.value?(.success(URLRequest(url: Thing().baseURL)))
        #expect(silence.receivers.value.isEmpty)
        expectEqual(log.entries.count, 1)
    }

    @Test("a refresh that does not end fails each call after its own total, and continues for the others")
    func endlessRefresh() {
        let refreshes = Box<[@Sendable (Result<Int, any Error>) -> Void]>([])
        let interceptor = AuthenticationInterceptor(
            credential: 1, scheduler: time, apply: { $1.setValue("\($0)", forHTTPHeaderField: "Authorization") },
            isStale: { $0 == 1 }, refreshing: { _, done in refreshes.change { $0.append(done) } })
        let provider = MoyaProvider<Thing>(
            endpointClosure: stubbed(200), stubClosure: MoyaProvider.immediatelyStub, interceptors: [interceptor],
            timeouts: Timeouts(total: .seconds(3)), scheduler: time)
        final class Object: Sendable {}
        weak var held: Object?
        do {
            let object = Object()
            held = object
            provider.request(Thing()) { [log] result in
                withExtendedLifetime(object) { log.add((try? result.get()) == nil ? "one failed" : "one succeeded") }
            }
        }
        time.advance(by: .seconds(1))
        send("two", on: provider)
        time.advance(by: .seconds(1))
        send("three", on: provider)
        time.advance(by: .seconds(2))
        expectEqual(log.entries, ["one failed", "two timeout at 4.0 seconds"])
        #expect(held == nil)
        expectEqual(refreshes.value.count, 1)
        refreshes.value.first?(.success(2))
        expectEqual(log.entries.last, "three 200 at 4.0 seconds")
        expectEqual(interceptor.credential, 2)
    }

    @Test("the total of a call that joins a request starts with that call, and ends only that call")
    func sharing() async throws {
        let provider = MoyaProvider<Thing>(
            transport: silence, trackInflights: true, timeouts: Timeouts(idle: nil, total: .seconds(3)),
            scheduler: time)
        let (hasCome, partial, outcome) = (Promise<Void>(), Box<Response?>(nil), Promise<Int?>())
        provider.request(Thing(), progress: { _ in hasCome.fulfill(()) }) { [log, time] result in
            if case .failure(let error) = result {
                partial.value = error.response
                log.add("one \(error.kind) at \(time.elapsed)")
            }
        }
        time.advance(by: .seconds(2))
        provider.request(Thing()) { outcome.fulfill(try? $0.get().statusCode) }
        let receive = try #require(silence.receivers.value.first)
        receive(
            TransportEvents(
                head: ResponseHead(statusCode: 203, version: "HTTP/1.1", headers: [:]), chunks: [Data("half".utf8)]))
        try await hasCome.value()
        // The callback that fulfills the promise may still be running; the deadline then waits until it has returned.
        time.advance(by: .seconds(1))
        try await until { !log.entries.isEmpty }
        expectEqual(log.entries, ["one timeout at 3.0 seconds"])
        #expect(partial.value?.statusCode == 203 && partial.value?.data == Data("half".utf8))
        expectEqual(silence.cancels.value, 0)
        time.advance(by: .seconds(1))
        receive(TransportEvents(outcome: TransportOutcome(error: nil)))
        try await expectEqual(outcome.value(), 203)
        expectEqual(silence.receivers.value.count, 1)
    }

    @Test("the last of several calls whose total has passed cancels the exchange")
    func lastOfSeveral() {
        let provider = MoyaProvider<Thing>(
            transport: silence, plugins: [Witness(name: "A", log: log)], trackInflights: true,
            timeouts: Timeouts(idle: nil, total: .seconds(3)), scheduler: time)
        send("one", on: provider)
        time.advance(by: .seconds(1))
        send("two", on: provider)
        time.advance(by: .seconds(2))
        expectEqual(silence.cancels.value, 0)
        time.run()
        expectEqual(silence.cancels.value, 1)
        expectEqual(
            log.entries.filter { $0.hasSuffix("seconds") },
            [
                "one timeout at 3.0 seconds", "two timeout at 4.0 seconds",
            ])
        expectEqual(log.entries.count { $0 == "A.didReceive" }, 1)
    }

    @Test("a call whose total passes before the request is created sends nothing")
    func passesAtOnce() {
        let provider = MoyaProvider<Thing>(
            transport: silence, plugins: [Witness(name: "A", log: log)], timeouts: Timeouts(total: .seconds(1)),
            scheduler: .immediate)
        send("one", on: provider)
        #expect(silence.receivers.value.isEmpty)
        expectEqual(log.entries, ["A.process", "one timeout at 0.0 seconds"])
    }

    @Test("no timer is left when a call has ended")
    func releasesTimer() {
        let provider = MoyaProvider<Thing>(
            stubClosure: MoyaProvider.immediatelyStub, timeouts: Timeouts(total: .seconds(60)), scheduler: time)
        send("one", on: provider)
        let stalled = MoyaProvider<Thing>(
            transport: silence, timeouts: Timeouts(attempt: .seconds(50), total: .seconds(60)), scheduler: time)
        send("two", on: stalled).cancel()
        time.run()
        expectEqual(log.entries, ["one 200 at 0.0 seconds", "two cancelled at 0.0 seconds"])
        expectEqual(time.elapsed, .zero)
    }

    @Test("an attempt that exceeds its own limit is repeated")
    func attemptIsRetried() {
        let provider = MoyaProvider<Thing>(
            transport: silence, interceptors: [.retry(.constant(.milliseconds(500), times: 2))],
            timeouts: Timeouts(idle: nil, attempt: .seconds(1)), scheduler: time)
        let text = Box("")
        provider.request(Thing()) { result in
            if case .failure(let error) = result { text.value = error.description }
        }
        time.run()
        expectEqual(time.elapsed, .seconds(4))
        expectEqual(silence.receivers.value.count, 3)
        expectEqual(silence.cancels.value, 3)
        let reason = "the attempt took longer than 1 second"
        expectEqual(text.value, "GET https://a.example/: the request for Thing timed out: \(reason)")
    }

    @Test("the total ends a repeated request during its last attempt")
    func totalAndAttempt() {
        let provider = MoyaProvider<Thing>(
            transport: silence, interceptors: [.retry(.constant(.zero, times: 9))],
            timeouts: Timeouts(idle: nil, attempt: .seconds(1), total: .milliseconds(2500)), scheduler: time)
        send("one", on: provider)
        time.run()
        expectEqual(log.entries, ["one timeout at 2.5 seconds"])
        expectEqual(silence.receivers.value.count, 3)
    }
}

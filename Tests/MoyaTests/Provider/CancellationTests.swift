import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An interceptor that the test completes; calls closures when the request is cancelled and when its token is released.
private final class Suspended: RequestInterceptor {
    final class Token: Cancellable {
        let onCancel: @Sendable () -> Void
        let onRelease: @Sendable () -> Void

        init(onCancel: @escaping @Sendable () -> Void, onRelease: @escaping @Sendable () -> Void) {
            self.onCancel = onCancel
            self.onRelease = onRelease
        }

        deinit {
            onRelease()
        }

        var isCancelled: Bool { false }
        func cancel() { onCancel() }
    }

    let adaptations = Box<[@Sendable () -> Void]>([])
    let decisions = Box<[@Sendable (RetryDecision) -> Void]>([])
    let onCancel = Box<(@Sendable () -> Void)?>(nil)
    let onRelease = Box<(@Sendable () -> Void)?>(nil)

    private var token: Token {
        Token(
            onCancel: { [onCancel] in onCancel.value?() },
            onRelease: { [onRelease] in onRelease.value?() })
    }

    func adapt(
        _ request: TransportRequest, for target: any RelativeTarget,
        _ done: @escaping @Sendable (Result<TransportRequest, MoyaError>) -> Void
    ) -> any Cancellable {
        adaptations.change { $0.append { done(.success(request)) } }
        return token
    }

    func retry(
        _ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) -> any Cancellable {
        decisions.change { $0.append(done) }
        return token
    }

    func sharingKey(for target: any RelativeTarget) -> String? { "" }

    func adaptAll() {
        for adapt in adaptations.value { adapt() }
    }
}

/// Cancels during the phases in which a request waits.
@Suite(.queued, .timeLimit(.minutes(10))) struct CancellationTests {
    private let log = Log()
    private let suspended = Suspended()

    private func provider(
        trackInflights: Bool = false, sample: EndpointSampleResponse = .networkResponse(200, Data())
    ) -> MoyaProvider<MyService> {
        MoyaProvider<MyService>(
            endpointClosure: { _ in Endpoint(url: "http://a.example/", sampleResponseClosure: { sample }) },
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Witness(name: "A", log: log)],
            interceptors: [suspended], trackInflights: trackInflights)
    }

    private func note(_ name: String, _ result: Result<Response, MoyaError>) {
        switch result {
        case .success: log.add("\(name) success")
        case .failure(let error): log.add("\(name) \(error.kind)")
        }
    }

    @Test("nothing is sent if the token of an interceptor completes its work when it is cancelled")
    func tokenThatCompletes() {
        suspended.onCancel.value = { [suspended] in suspended.adaptAll() }
        let call = provider().request(.zen) { note("one", $0) }
        call.cancel()
        expectEqual(log.entries, ["A.process", "one cancelled"])
    }

    @Test("a call that starts while an equal call is cancelled is not cancelled")
    func callDuringCancel() {
        let provider = provider(trackInflights: true)
        suspended.onCancel.value = { provider.request(.zen) { note("two", $0) } }
        let call = provider.request(.zen) { note("one", $0) }
        call.cancel()
        suspended.adaptAll()
        expectEqual(log.entries.filter { !$0.hasPrefix("A.") }, ["one cancelled", "two success"])
    }

    @Test("a call that is cancelled while it joins a request cancels no other call of that request")
    func cancelDuringJoin() async throws {
        struct Suspending: Sendable {
            let done = Box<(@Sendable () -> Void)?>(nil)
        }
        for _ in 0..<500 {
            let time = VirtualTime()
            let later = Suspending()
            let isLate = Box(false)
            let provider = MoyaProvider<MyService>(
                requestClosure: { endpoint, done in
                    let run: @Sendable () -> Void = {
                        MoyaProvider<MyService>.defaultRequestMapping(for: endpoint, closure: done)
                    }
                    if isLate.value { later.done.value = run } else { run() }
                }, stubClosure: { _ in .delayed(seconds: 1) }, trackInflights: true, scheduler: time)
            let outcome = Box<Bool?>(nil)
            let first = provider.request(.zen) { _ in }
            provider.request(.zen) { result in outcome.value = (try? result.get()) != nil }
            first.cancel()
            isLate.value = true
            let third = provider.request(.zen) { _ in }
            DispatchQueue.concurrentPerform(iterations: 2) { $0 == 0 ? later.done.value?() : third.cancel() }
            time.run()
            #expect(outcome.value == true)
            if outcome.value != true { return }
        }
    }

    @Test("no part of a response is delivered after completion")
    func partsAfterCompletion() {
        let provider = provider(sample: .networkResponse(404, Data("no".utf8)))
        let call = provider.requestStream(.zen, receive: { [log] _ in log.add("part") }) { note("one", $0) }
        suspended.adaptAll()
        call.cancel()
        for decide in suspended.decisions.value { decide(.doNotRetry) }
        expectEqual(log.entries.suffix(1), ["one cancelled"])
    }

    @Test("the token of an interceptor is not released under a lock")
    func releasedTokens() {
        let provider = provider()
        suspended.onRelease.value = { provider.cancelAll() }
        provider.request(.zen) { note("one", $0) }
        suspended.adaptAll()
        expectEqual(log.entries.count { $0.hasPrefix("one") }, 1)
        suspended.onRelease.value = nil
    }

    @Test("the token of a scheduler is not released under a lock")
    func releasedTimers() throws {
        final class Releasing: Scheduler {
            let time = VirtualTime()
            let onRelease = Box<(@Sendable () -> Void)?>(nil)
            var now: Duration { time.now }

            func schedule(
                after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
            ) -> any Cancellable {
                let timer = time.schedule(after: delay, fileID: fileID, line: line, work)
                return Suspended.Token(
                    onCancel: { timer.cancel() }, onRelease: { [onRelease] in onRelease.value?() })
            }
        }
        struct Silent: Transport {
            let receive = Box<(@Sendable (TransportEvents) -> Void)?>(nil)
            var capabilities: TransportCapabilities { [] }
            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                self.receive.value = receive
                return Exchange()
            }
            final class Exchange: TransportExchange {
                var isCancelled: Bool { false }
                func cancel() {}
                func acknowledge(_ bytes: Int) {}
            }
        }
        let (scheduler, transport) = (Releasing(), Silent())
        let provider = MoyaProvider<MyService>(
            transport: transport, timeouts: Timeouts(idle: .seconds(10)), scheduler: scheduler)
        provider.request(.zen) { note("one", $0) }
        scheduler.time.advance(by: .seconds(5))
        transport.receive.value?(TransportEvents(bytesSent: 1))
        let released = Box(0)
        scheduler.onRelease.value = {
            released.change { $0 += 1 }
            if released.value == 1 { provider.cancelAll() }
        }
        scheduler.time.advance(by: .seconds(6))
        #expect(released.value > 0)
        expectEqual(log.entries, ["one cancelled"])
        scheduler.onRelease.value = nil
    }

    @Test("the token of a call that has ended retains no callback")
    func releasedCallbacks() {
        final class Object: Sendable {}
        weak var held: Object?
        let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.immediatelyStub)
        let call: any TransportExchange
        do {
            let object = Object()
            held = object
            call = provider.requestStream(.zen, receive: { _ in _ = object }) { _ in _ = object }
        }
        #expect(held == nil)
        call.cancel()
    }
}

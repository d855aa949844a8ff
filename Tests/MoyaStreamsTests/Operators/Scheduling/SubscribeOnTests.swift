import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct SubscribeOnTests {
    /// A scheduler that says which of its tokens are still referenced.
    private struct Tracking: Scheduler {
        final class Token: Cancellable {
            var isCancelled: Bool { false }
            func cancel() {}
        }

        let time: VirtualTime
        let tokens = Box<[WeakToken]>([])
        var now: Duration { time.now }

        struct WeakToken: Sendable {
            weak let token: Token?
        }

        func schedule(
            after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
        ) -> any Cancellable {
            time.schedule(after: delay, fileID: fileID, line: line, work)
            let token = Token()
            tokens.change { $0.append(WeakToken(token: token)) }
            return token
        }
    }

    @Test("R4: once the wait is over, the subscription forgets it, so that streams that poll do not grow")
    func forgetsTheWait() {
        let time = VirtualTime()
        let scheduler = Tracking(time: time)
        let source = Observable<Int>.never().subscribe(on: scheduler)
            .delaySubscription(for: .milliseconds(1), on: scheduler)
        let subscription = source.subscribe()
        time.advance(by: .milliseconds(1))
        expectEqual(scheduler.tokens.value.count, 2)
        #expect(scheduler.tokens.value.allSatisfy { $0.token == nil })
        subscription.cancel()
    }

    let time = VirtualTime()

    @Test func theSourceIsSubscribedByTheScheduler() {
        let source = time.cold("-a|")
        let recording = time.record(source.subscribe(on: time))
        #expect(source.subscriptions.isEmpty)
        time.run()
        expectEqual(recording, "-a|")
        expectEqual(source.subscriptions, ["^-!"])
    }

    @Test("R5: a source whose subscription was cancelled before is not subscribed")
    func cancel() {
        let source = time.cold("-a|")
        source.subscribe(on: time).subscribeNext { _ in }.cancel()
        time.run()
        #expect(source.subscriptions.isEmpty)
        #expect(time.leftovers.isEmpty)
    }
}

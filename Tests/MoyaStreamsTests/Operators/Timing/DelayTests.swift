import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DelayTests {
    let time = VirtualTime()

    @Test func movesValuesAndCompletion() {
        expectEqual(time.play(time.cold("a-b|").delay(for: .milliseconds(2), on: time)), "--a-b|")
        expectEqual(time.play(time.cold("(ab)c|").delay(for: .milliseconds(3), on: time)), "---(ab)c|")
    }

    @Test("R20: a failure is not delayed")
    func failure() {
        expectEqual(time.play(time.cold("ab#").delay(for: .milliseconds(2), on: time)), "--#")
        #expect(time.leftovers.isEmpty)
    }

    @Test("R20, R35: what a late timer should have sent precedes a failure, in each operator that waits")
    func overdue() {
        let late = time.late(by: .milliseconds(10))
        let source = time.cold("a-----#")
        let pause = Duration.milliseconds(2)
        expectEqual(time.play(source.delay(for: pause, on: late)), "------(a#)")
        expectEqual(time.play(source.debounce(for: pause, on: late)), "------(a#)")
        expectEqual(time.play(time.cold("ab----#").throttle(for: pause, on: late)), "a-----(b#)")
        expectEqual(time.play(source.buffer(for: pause, on: late).map { $0.joined() }), "------(a#)")
        let windows = source.window(for: pause, on: late).flatMap { $0.toArray().map { $0.joined() } }
        expectEqual(time.play(windows), "------(a#)")
        expectEqual(time.play(source.delay(for: .milliseconds(6), on: late)), "------#")
    }

    @Test func aCancelDropsPendingEvents() {
        expectEqual(time.play(time.cold("abc").delay(for: .seconds(1), on: time), during: "^---!"), "")
        #expect(time.leftovers.isEmpty)
    }

    @Test("R35: the delay begins when a value arrives, not when a slow observer returns")
    func slowObserver() {
        let clock = ManualClock()
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        signal.delay(for: .milliseconds(10), on: clock).subscribe(
            onNext: { value in
                log.add("\(value) at \(clock.now)")
                guard value == 1 else { return }
                clock.advance(to: .milliseconds(12))
                emitter.send(2)
                emitter.complete()
                clock.advance(to: .milliseconds(15))
            }, onCompleted: { log.add("completed at \(clock.now)") })
        emitter.send(1)
        clock.run(until: .milliseconds(100))
        expectEqual(log.entries, ["1 at 0.01 seconds", "2 at 0.022 seconds", "completed at 0.022 seconds"])
    }

    @Test("values keep their order if the timers fire in another order")
    func order() throws {
        try VirtualTime.explore { time in
            time.play(Observable.from(["a", "b", "c"]).delay(for: .milliseconds(2), on: time))
        }
    }

    @Test("delaySubscription subscribes later, also to a hot source")
    func delayedSubscription() {
        expectEqual(time.play(time.cold("ab|").delaySubscription(for: .milliseconds(2), on: time)), "--ab|")
        // The value of the same instant was scheduled before the subscription.
        expectEqual(time.play(time.hot("abcd|").delaySubscription(for: .milliseconds(2), on: time)), "---d|")
    }

    @Test("R5: a cancel before the subscription cancels the wait")
    func cancelledSubscription() {
        let log = Log()
        let source = Observable<Int> { _ in log.add("subscribed") }
        let subscription = source.delaySubscription(for: .seconds(1), on: time).subscribeNext { _ in }
        subscription.cancel()
        #expect(time.leftovers.isEmpty)
        time.advance(by: .seconds(2))
        #expect(log.entries.isEmpty)
    }
}

import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct ThrottleTests {
    let time = VirtualTime()

    private func throttled(
        _ marbles: String, latest: Bool = true, during span: SubscriptionSpan = "^"
    ) -> Recording<String> {
        time.play(time.cold(marbles).throttle(for: .milliseconds(3), latest: latest, on: time), during: span)
    }

    @Test func sendsTheFirstAtOnceAndTheLatestWhenTheWindowEnds() {
        expectEqual(throttled("ab-c-----d---|"), "a--c-----d---|")
        expectEqual(throttled("abcdefgh------|"), "a--d--g--h----|")
    }

    @Test func withoutTheLatestOnlyTheFirstOfEachWindow() {
        expectEqual(throttled("abc------d---|", latest: false), "a--------d---|")
        expectEqual(throttled("abc--d-------|", latest: false), "a----d-------|")
    }

    @Test func completionIsDeliveredAfterThePendingValue() {
        expectEqual(throttled("ab|"), "a--(b|)")
        expectEqual(throttled("ab|", latest: false), "a-|")
        expectEqual(throttled("a|"), "a|")
    }

    @Test(
        "the clock determines the end of a window, also if the timer is late or due at the same instant",
        arguments: [0, 1, 2, 50])
    func late(_ lateness: Int) {
        let late = time.late(by: .milliseconds(lateness))
        func throttled(_ marbles: String, latest: Bool) -> Observable<String> {
            time.cold(marbles).throttle(for: .milliseconds(3), latest: latest, on: late)
        }
        expectEqual(time.play(throttled("ab--c---d--e|", latest: false)), "a---c---d--e|")
        expectEqual(time.play(throttled("a--b--c-----|", latest: false)), "a--b--c-----|")
        expectEqual(time.play(throttled("a--b--c-----|", latest: true)), "a--b--c-----|")
    }

    @Test("a late timer sends the pending value, unless another value has replaced it")
    func lateAndWaiting() {
        let late = time.late(by: .milliseconds(2))
        func throttled(_ marbles: String) -> Observable<String> {
            time.cold(marbles).throttle(for: .milliseconds(3), on: late)
        }
        expectEqual(time.play(throttled("ab----------|")), "a----b------|")
        expectEqual(time.play(throttled("ab--c-------|")), "a---c-------|")
    }

    @Test("R20: a failure drops the pending value")
    func failure() {
        expectEqual(throttled("ab#"), "a-#")
    }

    @Test("R3: a cancel drops the pending value and the timer")
    func cancel() {
        expectEqual(throttled("ab----", during: "^-!"), "a")
        #expect(time.leftovers.isEmpty)
    }

    @Test("R11: during an event, another thread can send")
    func noLockIsHeld() {
        let (signal, emitter) = Signal<Int>.pipe()
        let finished = Box(false)
        signal.throttle(for: .seconds(1), on: time).subscribeNext { _ in
            finished.value = finishesOnAnotherThread { emitter.send(2) }
        }
        emitter.send(1)
        #expect(finished.value)
    }
}

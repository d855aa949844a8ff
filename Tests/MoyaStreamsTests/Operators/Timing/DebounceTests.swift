import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct DebounceTests {
    let time = VirtualTime()

    private func debounced(_ marbles: String, flushes: Bool = true, during span: SubscriptionSpan = "^") -> Recording<
        String
    > {
        time.play(
            time.cold(marbles).debounce(for: .milliseconds(2), on: time, emitsPendingValueOnCompletion: flushes),
            during: span)
    }

    @Test func sendsValuesWithoutASuccessor() {
        expectEqual(debounced("ab----c|"), "---b---(c|)")
        expectEqual(debounced("a--b--c---|"), "--a--b--c-|")
    }

    @Test func aValueAtTheEndOfTheIntervalDoesNotReplaceThePending() {
        // The timer was scheduled after the events of the source, and therefore fires after them.
        expectEqual(debounced("a-b---|"), "----b-|")
    }

    @Test func completionSendsThePendingValueByDefault() {
        expectEqual(debounced("a|"), "-(a|)")
        expectEqual(debounced("a|", flushes: false), "-|")
        expectEqual(debounced("|"), "|")
    }

    @Test("R20: a failure drops the pending value")
    func failure() {
        expectEqual(debounced("a#"), "-#")
    }

    @Test("R3: a cancel drops the pending value and the timer")
    func cancel() {
        expectEqual(debounced("a---", during: "^!"), "")
        #expect(time.leftovers.isEmpty)
        expectEqual(time.elapsed, .milliseconds(1))
    }

    @Test("a value whose interval has passed is sent, also if the timer is late")
    func late() {
        let late = time.late(by: .milliseconds(50))
        func debounced(_ marbles: String, flushes: Bool = true) -> Observable<String> {
            time.cold(marbles).debounce(for: .milliseconds(2), on: late, emitsPendingValueOnCompletion: flushes)
        }
        expectEqual(time.play(debounced("a---b|")), "----a(b|)")
        expectEqual(time.play(debounced("a---|", flushes: false)), "----(a|)")
        expectEqual(time.play(debounced("a---#")), "----(a#)")
        expectEqual(time.play(debounced("a-#")), "--#")
    }

    @Test func eachSubscriptionHasItsOwn() {
        let stream = time.cold("a---|").debounce(for: .milliseconds(2), on: time)
        expectEqual(time.play(stream), "--a-|")
        expectEqual(time.play(stream), "--a-|")
    }

    @Test("R11: during an event, another thread can send")
    func noLockIsHeld() {
        let (signal, emitter) = Signal<Int>.pipe()
        let finished = Box(false)
        signal.debounce(for: .seconds(1), on: time).subscribeNext { _ in
            finished.value = finishesOnAnotherThread { emitter.send(2) }
        }
        emitter.send(1)
        time.advance(by: .seconds(1))
        #expect(finished.value)
    }

    @Test("R35: the pause counts from the arrival of a value, also if the observer was busy")
    func busyObserver() {
        let time = VirtualTime()
        let (signal, emitter) = Signal<String>.pipe()
        let log = Log()
        signal.debounce(for: .milliseconds(300), on: time).subscribeNext { value in
            log.add("\(value) at \(time.elapsed)")
            guard value == "a" else { return }
            time.advance(by: .milliseconds(100))
            emitter.send("b")
            time.advance(by: .milliseconds(900))
        }
        emitter.send("a")
        time.advance(by: .milliseconds(300))
        time.run()
        expectEqual(log.entries, ["a at 0.3 seconds", "b at 1.3 seconds"])
    }
}

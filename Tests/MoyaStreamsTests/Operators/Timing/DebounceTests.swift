import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct DebounceTests {
    let time = VirtualTime()

    private func debounced(_ marbles: String, flushes: Bool = true, during span: SubscriptionSpan = "^") -> Recording<
        String
    > {
        time.play(
            time.cold(marbles).debounce(for: .milliseconds(2), on: time, emitsPendingValueOnCompletion: flushes),
            during: span)
    }

    @Test func sendsWhatNothingFollows() {
        #expect(debounced("ab----c|") == "---b---(c|)")
        #expect(debounced("a--b--c---|") == "--a--b--c-|")
    }

    @Test func aValueAtTheVeryEndOfTheQuietComesTooLate() {
        // The timer was scheduled later than the source's own events, and so comes after them.
        #expect(debounced("a-b---|") == "----b-|")
    }

    @Test func completionSendsWhatWaitsUnlessToldOtherwise() {
        #expect(debounced("a|") == "-(a|)")
        #expect(debounced("a|", flushes: false) == "-|")
        #expect(debounced("|") == "|")
    }

    @Test("R20: a failure overtakes what waits")
    func failure() {
        #expect(debounced("a#") == "-#")
    }

    @Test("R3: a cancel drops what waits, with its timer")
    func cancel() {
        #expect(debounced("a---", during: "^!") == "")
        #expect(time.leftovers.isEmpty)
        #expect(time.elapsed == .milliseconds(1))
    }

    @Test("a value whose time is over is sent, though the timer is late")
    func late() {
        let late = time.late(by: .milliseconds(50))
        func debounced(_ marbles: String, flushes: Bool = true) -> Observable<String> {
            time.cold(marbles).debounce(for: .milliseconds(2), on: late, emitsPendingValueOnCompletion: flushes)
        }
        #expect(time.play(debounced("a---b|")) == "----a(b|)")
        #expect(time.play(debounced("a---|", flushes: false)) == "----(a|)")
        #expect(time.play(debounced("a---#")) == "----(a#)")
        #expect(time.play(debounced("a-#")) == "--#")
    }

    @Test func eachSubscriptionHasItsOwn() {
        let stream = time.cold("a---|").debounce(for: .milliseconds(2), on: time)
        #expect(time.play(stream) == "--a-|")
        #expect(time.play(stream) == "--a-|")
    }

    @Test("R11: from inside, another thread sends")
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
}

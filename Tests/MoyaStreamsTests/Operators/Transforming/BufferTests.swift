import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct BufferTests {
    @Test("a window that has ended by the clock receives no values, also if its timer is late")
    func late() {
        let time = VirtualTime()
        let stream = time.cold("ab----c|").buffer(for: .milliseconds(3), on: time.late(by: .milliseconds(50)))
        expectEqual(time.play(stream.map { $0.joined() }), "------{ab}(c|)")
    }

    let time = VirtualTime()

    @Test func sendsArraysOfThatManyAndTheRest() {
        let pairs = time.cold("a-b-c|").buffer(count: 2).map { $0.joined() }
        expectEqual(time.play(pairs).marbles, "--{ab}--(c|)")
        expectEqual(time.play(time.cold("ab|").buffer(count: 2).map { $0.joined() }).marbles, "-{ab}|")
        expectEqual(time.play(time.cold("ab|").buffer(count: -1).map { $0.joined() }), "ab|")
    }

    @Test func aFailureDropsTheRest() {
        expectEqual(time.play(time.cold("abc#").buffer(count: 2).map { $0.joined() }).marbles, "-{ab}-#")
        expectEqual(time.play(Observable<String>.empty().buffer(count: 2).map { $0.joined() }), "|")
    }

    private func timed(_ marbles: String, count: Int = .max, during span: SubscriptionSpan = "^") -> Recording<String> {
        let source = time.cold(marbles)
        return time.play(
            source.buffer(for: .milliseconds(3), count: count, on: time).map { $0.joined() }, during: span)
    }

    @Test func sendsTheValuesOfAWindow() {
        expectEqual(timed("ab---cdef|"), "---{ab}----{cdef}|")
        expectEqual(timed("ab---cdef|", count: 3), "---{ab}---{cde}-({f}|)")
        expectEqual(timed("a------b---|"), "---{a}------{b}|")
    }

    @Test("R20: a failure drops the collected values immediately")
    func failureOvertakes() {
        expectEqual(timed("ab#"), "--#")
    }

    @Test("R3: a cancel drops the collected values and the timer")
    func cancel() {
        expectEqual(timed("ab----", during: "^-!"), "")
        #expect(time.leftovers.isEmpty)
    }
}

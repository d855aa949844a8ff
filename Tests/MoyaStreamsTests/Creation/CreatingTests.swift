import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CreatingTests {
    let time = VirtualTime()

    @Test func diagrams() {
        expectEqual(time.play(Observable.just("a")), "(a|)")
        expectEqual(time.play(Observable.from(["a", "b", "c"])), "(abc|)")
        expectEqual(time.play(Observable<String>.empty()), "|")
        expectEqual(time.play(Observable<String>.error(Failure())), "#")
        expectEqual(time.play(Observable<String>.never()), "")
        expectEqual(time.play(Observable<String>.deferred { .just("a") }), "(a|)")
        expectEqual(time.play(Observable<String>.deferred { throw Failure() }), "#")
    }

    @Test("R2: a cold stream runs its source for each subscriber")
    func deferredRunsForEachSubscriber() {
        let runs = Box(0)
        let stream = Observable<Int>.deferred {
            runs.change { $0 += 1 }
            return .just(runs.value)
        }
        expectEqual(time.play(stream).elements, [1])
        expectEqual(time.play(stream).elements, [2])
    }

    @Test("R15: an infinite sequence is iterated only until the subscription ends")
    func infiniteSequence() {
        let pulled = Box(0)
        let numbers = sequence(state: 0) { (number: inout Int) -> Int? in
            pulled.change { $0 += 1 }
            number += 1
            return number
        }
        let taken = time.play(Observable.from(Numbers(sequence: { numbers })).take(2))
        expectEqual(taken.elements, [1, 2])
        expectEqual(pulled.value, 2)
    }

    private struct Numbers: Sequence, Sendable {
        let sequence: @Sendable () -> UnfoldSequence<Int, Int>

        func makeIterator() -> UnfoldSequence<Int, Int> { sequence() }
    }

    @Test("R22: `never` retains no observer")
    func neverRetainsNothing() {
        weak var held: Log?
        do {
            let log = Log()
            held = log
            Observable<Int>.never().subscribe { _ in log.add("") }
        }
        #expect(held == nil)
    }

    @Test func timersTickInVirtualTime() {
        let time = VirtualTime()
        expectEqual(time.play(Observable.timer(after: .milliseconds(3), on: time)), "---(0|)")
        expectEqual(time.play(Observable.interval(.milliseconds(2), on: time), during: "^------!"), "--0-1-2")
        #expect(time.leftovers.isEmpty)
        expectEqual(time.play(Observable.interval(.milliseconds(2), on: time).take(2)), "--0-(1|)")
    }

    @Test("an interval on the immediate scheduler ends when its stream ends")
    func intervalWithoutDelays() {
        let log = Log()
        Observable.interval(.seconds(1), on: .immediate).take(3).subscribe { log.add("\($0)") }
        expectEqual(log.entries, ["next(0)", "next(1)", "next(2)", "completed"])
    }

    @Test func valuesAndResults() {
        let time = VirtualTime()
        expectEqual(time.play(Observable.of("a", "b")), "(ab|)")
        expectEqual(time.play(Observable.from(Result<String, Failure>.success("a"))), "(a|)")
        expectEqual(time.play(Observable<String>.from(Result<String, Failure>.failure(Failure()))), "#")
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct WithLatestFromTests {
    let time = VirtualTime()

    @Test func pairsWithTheLatest() {
        let pairs = time.cold("a---b---c|").withLatestFrom(time.cold("--1--2")).map { $0 + $1 }
        expectEqual(time.play(pairs).marbles, "----{b1}---{c2}|")
    }

    @Test func onlyAFailureOfTheOtherStreamEndsIt() {
        expectEqual(time.play(time.cold("-a|").withLatestFrom(Observable.just("1")).map { $0 + $1 }).marbles, "-{a1}|")
        expectEqual(time.play(time.cold("--a|").withLatestFrom(time.cold("-#")).map { $0 + $1 }), "-#")
    }

    @Test func aCancelReachesBoth() {
        let other = time.cold("1-----")
        expectEqual(time.play(time.cold("----a").withLatestFrom(other).map { $0.0 }, during: "^--!"), "")
        expectEqual(other.subscriptions, ["^--!"])
        #expect(time.leftovers.isEmpty)
    }

    @Test("a closure combines the values, and fails the stream if it throws")
    func resultSelector() {
        let source = time.cold("-a-b|")
        expectEqual(time.play(source.withLatestFrom(Observable.just("1")) { $0 + $1 }).marbles, "-{a1}-{b1}|")
        let failing = source.withLatestFrom(Observable.just("1")) { _, _ -> String in throw Failure() }
        expectEqual(time.play(failing).marbles, "-#")
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct MergeTests {
    let time = VirtualTime()

    @Test func sendsValuesAsTheyArrive() {
        let merged = Observable.merge(time.cold("a---b|").observable, time.cold("--x----y|").observable)
        expectEqual(time.play(merged), "a-x-b--y|")
        expectEqual(time.play(time.cold("a|").merge(with: time.cold("-b|"))), "ab|")
        expectEqual(time.play(Observable<String>.merge([])), "|")
    }

    @Test func theFirstFailureEndsAll() {
        let other = time.cold("------x|")
        expectEqual(time.play(time.cold("a-#").merge(with: other)), "a-#")
        expectEqual(other.subscriptions, ["^-!"])
    }

    @Test func noneOfTheSameInstantIsLost() {
        let error = #expect(throws: ExplorationError.self) {
            try VirtualTime.explore { time in
                time.play(time.cold("-a|").merge(with: time.cold("-b|")))
            }
        }
        #expect(error?.found.hasPrefix("-(ba)|") == true)
    }

    /// A sequence of numbers that calls a closure for each element.
    private struct Pulls: Sequence, Sendable {
        let next: @Sendable () -> Int?

        func makeIterator() -> AnyIterator<Int> { AnyIterator(next) }
    }

    @Test("R15: a sequence whose values are dropped stops when another stream has ended the merge")
    func anEndElsewhereStopsASequence() {
        let (other, emitter) = Signal<Int>.pipe()
        let pulled = Box(0)
        let numbers = Pulls {
            pulled.change { $0 += 1 }
            if pulled.value == 3 { emitter.send(1) }
            return pulled.value < 10_000 ? pulled.value : nil
        }
        Observable.merge(other.observable, Observable.from(numbers).filter { _ in false }).take(1)
            .subscribeNext { _ in }
        #expect(pulled.value < 10)
    }

    @Test("R11: a sequence that waits for a value of another stream receives it")
    func aSequenceMayWait() {
        let (other, emitter) = Signal<Int>.pipe()
        let seen = Box(0)
        let numbers = Pulls {
            guard seen.value == 0 else { return nil }
            let arrived = finishesOnAnotherThread { emitter.send(1) }
            return arrived && seen.value == 1 ? nil : 100
        }
        Observable.merge(other.observable, Observable.from(numbers)).subscribeNext { seen.value = $0 }
        expectEqual(seen.value, 1)
    }
}

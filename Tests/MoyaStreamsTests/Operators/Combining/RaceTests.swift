import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct RaceTests {
    let time = VirtualTime()

    @Test func theFirstEventWinsAndTheOtherStreamsAreCancelled() {
        let (slow, fast) = (time.cold("---a--b|"), time.cold("-x--y|"))
        expectEqual(time.play(Observable.race(slow.observable, fast.observable)), "-x--y|")
        expectEqual(slow.subscriptions, ["^!"])
        expectEqual(fast.subscriptions, ["^----!"])
    }

    @Test func aFailureOrACompletionCountsToo() {
        expectEqual(time.play(Observable.race(time.cold("--a|").observable, time.cold("-#").observable)), "-#")
        expectEqual(time.play(Observable.race(time.cold("--a|").observable, time.cold("-|").observable)), "-|")
    }

    @Test func aSynchronousStreamWinsAlone() {
        let late = time.cold("a|")
        expectEqual(time.play(Observable.race(.just("x"), late.observable)), "(x|)")
        #expect(late.subscriptions.isEmpty)
    }

    @Test func withoutAStreamItNeverEnds() {
        expectEqual(time.play(Observable<String>.race([])), "")
    }

    @Test func aCancelReachesAll() {
        let (a, b) = (time.cold("---a|"), time.cold("----b|"))
        _ = time.play(Observable.race(a.observable, b.observable), during: "^-!")
        expectEqual(a.subscriptions, ["^-!"])
        expectEqual(b.subscriptions, ["^-!"])
    }

    @Test("R7: exactly one of two racing threads wins")
    func racing() {
        for _ in 0..<200 {
            let (a, first) = Signal<Int>.pipe()
            let (b, second) = Signal<Int>.pipe()
            let seen = Box(Set<Int>())
            Observable.race(a.observable, b.observable).subscribeNext { value in seen.change { $0.insert(value) } }
            inParallel([(first, 1), (second, 2)]) { emitter, value in
                for _ in 0..<20 { emitter.send(value) }
            }
            expectEqual(seen.value.count, 1)
        }
    }

    @Test("R4: a stream that has dropped its emitter is released when another one wins")
    func aSilentLoserIsReleased() {
        let log = Log()
        let (other, emitter) = Signal<Int>.pipe()
        let loser = Observable<Int> { $0.onTermination { log.add("released") } }
        let subscription = Observable.race(loser, other.observable).subscribeNext { log.add("\($0)") }
        emitter.send(1)
        expectEqual(log.entries, ["released", "1"])
        subscription.cancel()
    }

    @Test("R4: a stream that is being subscribed while another one wins is released")
    func aLateLoserIsReleased() {
        let log = Log()
        let (other, emitter) = Signal<Int>.pipe()
        let kept = Box<Emitter<Int>?>(nil)
        let loser = Observable<Int> { loser in
            kept.value = loser
            loser.onTermination { log.add("released") }
            emitter.send(1)
        }
        let subscription = Observable.race(other.observable, loser).subscribeNext { log.add("\($0)") }
        expectEqual(log.entries, ["released", "1"])
        subscription.cancel()
    }
}

import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TakeTests {
    let time = VirtualTime()

    @Test("R6: take(n) completes together with the n-th value")
    func completesWithTheLastValue() {
        expectEqual(time.play(time.cold("--a--b--c--d|").take(2)), "--a--(b|)")
        expectEqual(time.play(time.cold("--a|").take(2)), "--a|")
        expectEqual(time.play(time.cold("--a#").take(2)), "--a#")
    }

    @Test("R6: take(n) releases the source when it completes")
    func releasesTheSource() {
        let log = Log()
        let kept = Box<Emitter<Int>?>(nil)
        Observable<Int> { emitter in
            kept.value = emitter
            emitter.onTermination { log.add("released") }
        }.take(1).subscribe { log.add("\($0)") }
        kept.value?.send(1)
        expectEqual(log.entries, ["next(1)", "completed", "released"])
        #expect(kept.value?.send(2) == false)
    }

    @Test("R6: take(0) completes without subscribing")
    func takeNothing() {
        let isSubscribed = Box(false)
        let source = Observable.just("a").handleEvents(onSubscribe: { isSubscribed.value = true })
        expectEqual(time.play(source.take(0)), "|")
        #expect(!isSubscribed.value)
    }

    @Test func countsForEachSubscription() {
        let stream = time.cold("ab|").take(1)
        expectEqual(time.play(stream), "(a|)")
        expectEqual(time.play(stream), "(a|)")
    }

    @Test("R18: an observer may send during the last value")
    func reentrantSend() {
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        signal.take(2).subscribe { event in
            log.add("\(event)")
            if case .next(let value) = event { emitter.send(value + 1) }
        }
        emitter.send(1)
        expectEqual(log.entries, ["next(1)", "next(2)", "completed"])
    }

    @Test("R6: take of ready values in a concat ends at once if a later take has enough")
    func nested() {
        let time = VirtualTime()
        func played(_ stream: Observable<Int>) -> String { time.play(stream.map(String.init)).marbles }
        expectEqual(played(Observable.concat([.of(1, 2).take(1), .of(3)]).take(1)), "(1|)")
        expectEqual(played(Observable.of(1, 2).take(1).concat(Observable.of(3)).first()), "(1|)")
        expectEqual(played(Observable.from([1, 2, 3, 4]).take(3).concat(Observable.of(5)).take(3)), "(123|)")
        expectEqual(played(Observable.from([1, 2, 3, 4]).take(3).concat(Observable.of(5))), "(1235|)")
    }

    @Test("R15: after a cancel inside next, no closure of a chain over ready values runs")
    func cancelledInside() {
        let seen = Box([Int]())
        let (signal, emitter) = Signal<Void>.pipe()
        Observable.concat([Observable.of(1, 2).take(1), .of(3)])
            .map { value in
                seen.change { $0.append(value) }
                return value
            }
            .take(until: signal).subscribeNext { _ in emitter.send(()) }
        expectEqual(seen.value, [1])
    }
}

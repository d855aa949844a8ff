import Moya
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct TakeTests {
    let time = VirtualTime()

    @Test("R6: take(n) completes together with the n-th value")
    func completesWithTheLastValue() {
        #expect(time.play(time.cold("--a--b--c--d|").take(2)) == "--a--(b|)")
        #expect(time.play(time.cold("--a|").take(2)) == "--a|")
        #expect(time.play(time.cold("--a#").take(2)) == "--a#")
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
        #expect(log.entries == ["next(1)", "completed", "released"])
        #expect(kept.value?.send(2) == false)
    }

    @Test("R6: take(0) completes without subscribing")
    func takeNothing() {
        let isSubscribed = Box(false)
        let source = Observable.just("a").handleEvents(onSubscribe: { isSubscribed.value = true })
        #expect(time.play(source.take(0)) == "|")
        #expect(!isSubscribed.value)
    }

    @Test func countsForEachSubscription() {
        let stream = time.cold("ab|").take(1)
        #expect(time.play(stream) == "(a|)")
        #expect(time.play(stream) == "(a|)")
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
        #expect(log.entries == ["next(1)", "next(2)", "completed"])
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct CatchErrorTests {
    let time = VirtualTime()

    @Test func goesOnWithTheReplacement() {
        let stream = time.cold("--a--#").catchError { [time] _ in time.cold("--r|").observable }
        #expect(time.play(stream) == "--a----r|")
    }

    @Test func isNotAskedWithoutAnError() {
        #expect(time.play(time.cold("--a|").catchError { _ in .just("x") }) == "--a|")
    }

    @Test("R17: an error that is thrown instead becomes the stream's")
    func throwingRecoveryFails() {
        let recording = time.play(time.cold("--#").catchError { _ in throw Failure(id: 2) })
        #expect(recording == "--#")
        #expect(recording.error as? Failure == Failure(id: 2))
    }

    @Test("R4: the failed source is released before the replacement is subscribed")
    func neverTwoSources() {
        let log = Log()
        let failing = Observable<Int> { emitter in
            emitter.onCancel { log.add("released") }
            emitter.fail(Failure())
        }
        failing.catchError { _ in Observable.just(1).handle(onSubscribe: { log.add("subscribed") }) }
            .subscribeNext { log.add("\($0)") }
        #expect(log.entries == ["released", "subscribed", "1"])
    }

    @Test("R5: a cancel reaches the replacement")
    func cancelReachesTheReplacement() {
        let log = Log()
        let replacement = Observable<Int>.never().handle(onCancel: { log.add("cancelled") })
        Observable<Int>.error(Failure()).catchError { _ in replacement }.subscribeNext { _ in }.cancel()
        #expect(log.entries == ["cancelled"])
    }

    @Test("R16: 100,000 replacements of replacements do not grow the stack")
    func recursion() {
        @Sendable func attempt(_ number: Int) -> Observable<Int> {
            Observable<Int>.error(Failure()).catchError { _ in number < manyTimes ? attempt(number + 1) : .just(number)
            }
        }
        let last = Box(0)
        attempt(1).subscribeNext { last.value = $0 }
        #expect(last.value == manyTimes)
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CatchTests {
    let time = VirtualTime()

    @Test func continuesWithTheReplacement() {
        let stream = time.cold("--a--#").catch { [time] _ in time.cold("--r|").observable }
        expectEqual(time.play(stream), "--a----r|")
    }

    @Test func isNotCalledWithoutAnError() {
        expectEqual(time.play(time.cold("--a|").catch { _ in .just("x") }), "--a|")
    }

    @Test("R17: fails with an error that the closure throws")
    func throwingRecoveryFails() {
        let recording = time.play(time.cold("--#").catch { _ in throw Failure(id: 2) })
        expectEqual(recording, "--#")
        expectEqual(recording.error as? Failure, Failure(id: 2))
    }

    @Test("R4: the failed source is released before the replacement is subscribed")
    func neverTwoSources() {
        let log = Log()
        let failing = Observable<Int> { emitter in
            emitter.onTermination { log.add("released") }
            emitter.fail(Failure())
        }
        failing.catch { _ in Observable.just(1).handleEvents(onSubscribe: { log.add("subscribed") }) }
            .subscribeNext { log.add("\($0)") }
        expectEqual(log.entries, ["released", "subscribed", "1"])
    }

    @Test("R5: a cancel reaches the replacement")
    func cancelReachesTheReplacement() {
        let log = Log()
        let replacement = Observable<Int>.never().handleEvents(onCancel: { log.add("cancelled") })
        Observable<Int>.error(Failure()).catch { _ in replacement }.subscribeNext { _ in }.cancel()
        expectEqual(log.entries, ["cancelled"])
    }

    @Test("R16: 50,000 replacements that fail and are replaced do not grow the stack")
    func recursion() {
        @Sendable func attempt(_ number: Int) -> Observable<Int> {
            Observable<Int>.error(Failure()).catch { _ in number < manyTimes ? attempt(number + 1) : .just(number)
            }
        }
        let last = Box(0)
        attempt(1).subscribeNext { last.value = $0 }
        expectEqual(last.value, manyTimes)
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct FlatMapLatestTests {
    let time = VirtualTime()

    @Test func theLatestReplacesThePrevious() {
        let inner = ["a": time.cold("-1-2-3|"), "b": time.cold("-4-5-6|")]
        let stream = time.cold("a---b----|").flatMapLatest { inner[$0]?.observable ?? .never() }
        expectEqual(time.play(stream), "-1-2-4-5-6|")
        expectEqual(inner["a"]?.subscriptions, ["^---!"])
        expectEqual(inner["b"]?.subscriptions, ["----^-----!"])
    }

    @Test func outerCompletionKeepsTheInnerStream() {
        let stream = time.cold("a|").flatMapLatest { [time] _ in time.cold("--x|").observable }
        expectEqual(time.play(stream), "--x|")
        let endsLast = time.cold("a----|").flatMapLatest { _ in Observable.just("x") }
        expectEqual(time.play(endsLast), "x----|")
        expectEqual(time.play(time.cold("--|").flatMapLatest { Observable.just($0) }), "--|")
    }

    @Test func failsWithTheFirstFailure() {
        let outer = time.cold("a-#").flatMapLatest { [time] _ in time.cold("---x|").observable }
        expectEqual(time.play(outer), "--#")
        let inner = time.cold("a---|").flatMapLatest { [time] _ in time.cold("-#").observable }
        expectEqual(time.play(inner), "-#")
        let selector = time.cold("a---|").flatMapLatest { _ -> Observable<String> in throw Failure() }
        expectEqual(time.play(selector), "#")
    }

    @Test("a former inner stream that has failed while it was being cancelled does not stop the latest ones")
    func ignoresTheFailureOfAFormerStream() {
        let (signal, emitter) = Signal<Int>.pipe()
        let inner = Box<Emitter<Int>?>(nil)
        let recording = time.record(
            signal.flatMapLatest { value -> Observable<Int> in
                guard value == 1 else { return .concat([.just(value), .never()]) }
                // The next value arrives after the stream has begun to fail, and before its error is delivered.
                return Observable<Int> { own in
                    inner.value = own
                    own.onTermination { emitter.send(2) }
                }
            })
        emitter.send(1)
        inner.value?.fail(Failure())
        emitter.send(3)
        expectEqual(recording.elements, [2, 3])
        #expect(recording.error == nil)
    }

    @Test("R17: `transform` is not called after a failure that waits behind the current value")
    func callsNoTransformAfterAQueuedFailure() {
        let outer = Box<Emitter<Int>?>(nil)
        let inner = Box<Emitter<String>?>(nil)
        let log = Log()
        Observable<Int> { outer.value = $0 }
            .flatMapLatest { number in
                log.add("made \(number)")
                return number == 1 ? Observable { inner.value = $0 } : .error(Failure())
            }
            .subscribe(
                onNext: { _ in for number in 2...3 { outer.value?.send(number) } },
                onError: { _ in log.add("failed") })
        outer.value?.send(1)
        inner.value?.send("a")
        expectEqual(log.entries, ["made 1", "made 2", "failed"])
    }

    @Test("the failure of a replaced inner stream is ignored")
    func replacedFailure() {
        let inner = ["a": time.cold("--#"), "b": time.cold("---x|")]
        let stream = time.cold("a-b|").flatMapLatest { inner[$0]?.observable ?? .never() }
        expectEqual(time.play(stream), "-----x|")
    }

    @Test func aCancelReachesTheInnerStream() {
        let inner = time.cold("-----x")
        let outer = time.cold("a-----|")
        expectEqual(time.play(outer.flatMapLatest { _ in inner.observable }, during: "^--!"), "")
        expectEqual(inner.subscriptions, ["^--!"])
        expectEqual(outer.subscriptions, ["^--!"])
        #expect(time.leftovers.isEmpty)
    }

    @Test("R8, R11: a value that is sent during an inner value is delivered after it, also from another thread")
    func reentrancy() {
        let (signal, emitter) = Signal<Int>.pipe()
        let log = Log()
        signal.flatMapLatest { value in Observable.from([value * 10, value * 10 + 1]) }.subscribeNext { value in
            log.add("\(value)")
            if value == 10 {
                let finished = finishesOnAnotherThread { _ = emitter.send(2) }
                if !finished { log.add("stuck") }
            }
        }
        emitter.send(1)
        expectEqual(log.entries.first, "10")
        #expect(log.entries.contains("20"))
        expectEqual(log.entries.last, "21")
        #expect(!log.entries.contains("stuck"))
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct HandleEventsTests {
    let time = VirtualTime()
    let log = Log()

    private func watched(_ source: some Subscribable<String>) -> Observable<String> {
        source.handleEvents(
            onSubscribe: { [log] in log.add("subscribe") }, onNext: { [log] in log.add("next \($0)") },
            onError: { [log] _ in log.add("error") }, onCompleted: { [log] in log.add("completed") },
            onCancel: { [log] in log.add("cancel") }, onEnd: { [log] in log.add("end") })
    }

    @Test func observesACompletion() {
        expectEqual(time.play(watched(time.cold("a|"))), "a|")
        expectEqual(log.entries, ["subscribe", "next a", "completed", "end"])
    }

    @Test func observesAFailure() {
        expectEqual(time.play(watched(time.cold("a#"))), "a#")
        expectEqual(log.entries, ["subscribe", "next a", "error", "end"])
    }

    @Test func observesACancel() {
        watched(Observable.never()).subscribeNext { _ in }.cancel()
        expectEqual(log.entries, ["subscribe", "cancel", "end"])
    }

    @Test("the end of the subscription by an operator downstream counts as a cancel")
    func watchesTake() {
        expectEqual(time.play(watched(time.cold("ab|")).take(1)), "(a|)")
        expectEqual(log.entries, ["subscribe", "next a", "cancel", "end"])
    }

    @Test("R17: an error that onNext throws fails the stream, before the value is delivered")
    func throwingOnNextFails() {
        let stream = time.cold("a|").handleEvents(
            onNext: { _ in throw Failure() }, onError: { [log] in log.add("\($0)") })
        expectEqual(time.play(stream), "#")
        expectEqual(log.entries, ["Failure(id: 0)"])
    }

    @Test("onEnd is called once, also if the source and the downstream end concurrently")
    func onEndWhenBothEndsMeet() {
        let inner = Box<[Emitter<Int>]>([])
        Observable.from(0..<2).flatMap { number in
            Observable<Int> { emitter in inner.change { $0.append(emitter) } }
                .handleEvents(onEnd: { [log] in log.add("end \(number)") })
        }.take(1).subscribeCompleted { inner.value[1].complete() }
        inner.value[0].send(1)
        expectEqual(Set(log.entries), ["end 0", "end 1"])
        expectEqual(log.entries.count, 2)
    }

    @Test("R3: after a cancel in an earlier closure, no further closure is called for the value")
    func cancelInAnEarlierClosure() {
        let (numbers, emitter) = Signal<Int>.pipe()
        let token = Box<Subscription?>(nil)
        token.value = numbers.handleEvents(onNext: { number in if number == 2 { token.value?.cancel() } })
            .handleEvents(onNext: { [log] in log.add("next \($0)") }, onEnd: { [log] in log.add("end") })
            .subscribeNext { [log] in log.add("\($0)") }
        for number in 1...3 { emitter.send(number) }
        expectEqual(log.entries, ["next 1", "1", "end"])
    }

    @Test("R3: a cancel in a teardown of a source that fails suppresses the error")
    func cancelDuringAFailure() {
        let kept = Box<Emitter<Int>?>(nil)
        let token = Box<Subscription?>(nil)
        token.value = Observable<Int> { emitter in
            kept.value = emitter
            emitter.onTermination { token.value?.cancel() }
        }.handleEvents(onEnd: { [log] in log.add("end") }).subscribeError { [log] _ in log.add("error") }
        kept.value?.fail(Failure())
        expectEqual(log.entries, ["end"])
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite struct HandleTests {
    let time = VirtualTime()
    let log = Log()

    private func watched(_ source: some Subscribable<String>) -> Observable<String> {
        source.handle(
            onSubscribe: { [log] in log.add("subscribe") }, onNext: { [log] in log.add("next \($0)") },
            onError: { [log] _ in log.add("error") }, onCompleted: { [log] in log.add("completed") },
            onCancel: { [log] in log.add("cancel") }, onEnd: { [log] in log.add("end") })
    }

    @Test func watchesACompletion() {
        #expect(time.play(watched(time.cold("a|"))) == "a|")
        #expect(log.entries == ["subscribe", "next a", "completed", "end"])
    }

    @Test func watchesAFailure() {
        #expect(time.play(watched(time.cold("a#"))) == "a#")
        #expect(log.entries == ["subscribe", "next a", "error", "end"])
    }

    @Test func watchesACancel() {
        watched(Observable.never()).subscribeNext { _ in }.cancel()
        #expect(log.entries == ["subscribe", "cancel", "end"])
    }

    @Test("a downstream that has enough counts as a cancel")
    func watchesTake() {
        #expect(time.play(watched(time.cold("ab|")).take(1)) == "(a|)")
        #expect(log.entries == ["subscribe", "next a", "cancel", "end"])
    }

    @Test("R17: an error thrown by onNext becomes the stream's, before the value is seen")
    func throwingOnNextFails() {
        let stream = time.cold("a|").handle(onNext: { _ in throw Failure() }, onError: { [log] in log.add("\($0)") })
        #expect(time.play(stream) == "#")
        #expect(log.entries == ["Failure(id: 0)"])
    }
}

import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TimeoutTests {
    let time = VirtualTime()

    @Test func failsWithoutAValueInTime() {
        let stream = time.cold("a-b-----c|").timeout(after: .milliseconds(3), on: time)
        let recording = time.play(stream)
        expectEqual(recording, "a-b--#")
        expectEqual((recording.error as? StreamTimeout)?.duration, .milliseconds(3))
    }

    @Test func alsoBeforeTheFirst() {
        expectEqual(time.play(time.cold("----a|").timeout(after: .milliseconds(3), on: time)), "---#")
    }

    @Test("a value or a completion after the deadline is a failure, also if the timer is late")
    func late() {
        let late = time.late(by: .milliseconds(50))
        expectEqual(time.play(time.cold("a----b|").timeout(after: .milliseconds(3), on: late)), "a----#")
        expectEqual(time.play(time.cold("a----|").timeout(after: .milliseconds(3), on: late)), "a----#")
        expectEqual(time.play(time.cold("a--b--|").timeout(after: .milliseconds(3), on: late)), "a--b--|")
    }

    @Test("the time that a slow observer takes does not count")
    func slowObserver() {
        let (signal, emitter) = Signal<Int>.pipe()
        let recording = Log()
        signal.timeout(after: .seconds(2), on: time).subscribe(
            onNext: { [time] value in
                recording.add("\(value)")
                // The second value arrives during the delivery of the first, which takes longer than the timeout.
                if value == 1 {
                    emitter.send(2)
                    time.schedule(after: .seconds(3)) {}
                    time.advance(by: .seconds(3))
                }
            }, onError: { _ in recording.add("timeout") })
        emitter.send(1)
        expectEqual(recording.entries, ["1", "2"])
        time.advance(by: .seconds(2))
        expectEqual(recording.entries, ["1", "2", "timeout"])
    }

    @Test func passesEventsInTime() {
        expectEqual(time.play(time.cold("-a-b|").timeout(after: .milliseconds(3), on: time)), "-a-b|")
        expectEqual(time.play(time.cold("-#").timeout(after: .milliseconds(3), on: time)), "-#")
        #expect(time.leftovers.isEmpty)
    }

    @Test("after the deadline, another stream follows; a failure of the source is not caught")
    func switches() {
        let other = time.cold("xy|")
        func play(_ marbles: String) -> String {
            time.play(time.cold(marbles).timeout(after: .milliseconds(3), switchTo: other, on: time)).marbles
        }
        expectEqual(play("a-b-----c|"), "a-b--xy|")
        expectEqual(play("a-b|"), "a-b|")
        expectEqual(play("a-#"), "a-#")
        expectEqual(play("----a|"), "---xy|")
    }

    @Test("a source that fails with a StreamTimeout of its own is not replaced")
    func foreignTimeout() {
        let source = time.cold("-a|").timeout(after: .zero, on: time)
        let stream = source.timeout(after: .seconds(1), switchTo: time.cold("x|"), on: time)
        #expect(time.play(stream).error is StreamTimeout)
    }

    @Test("R4: the source is released before the other stream is subscribed")
    func releasesFirst() {
        let log = Log()
        let source = Observable<Int> { $0.onTermination { log.add("released") } }
        let other = Observable<Int>.deferred {
            log.add("subscribed")
            return .just(1)
        }
        source.timeout(after: .seconds(1), switchTo: other, on: time).subscribeNext { log.add("\($0)") }
        time.advance(by: .seconds(1))
        expectEqual(log.entries, ["released", "subscribed", "1"])
    }
}

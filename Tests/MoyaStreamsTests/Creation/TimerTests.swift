import MoyaStreams
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct TimerTests {
    @Test(
        "R35: an interval that was held up sends one value, skips the missed periods, and keeps its phase",
        arguments: [
            (505, ["0 at 0.505 seconds", "1 at 0.51 seconds", "2 at 0.52 seconds"]),
            (510, ["0 at 0.51 seconds", "1 at 0.52 seconds"]),
        ])
    func heldUp(_ end: Int, _ expected: [String]) {
        let clock = ManualClock()
        let log = Log()
        let subscription = Observable.interval(.milliseconds(10), on: clock).subscribeNext { value in
            log.add("\(value) at \(clock.now)")
        }
        clock.advance(to: .milliseconds(end))
        clock.run(until: .milliseconds(525))
        subscription.cancel()
        expectEqual(log.entries, expected)
    }

    @Test("R35: an interval whose observer takes longer than a period skips the periods that pass meanwhile")
    func slowObserver() {
        let clock = ManualClock()
        let log = Log()
        let subscription = Observable.interval(.milliseconds(10), on: clock).subscribeNext { value in
            log.add("\(value) at \(clock.now)")
            clock.advance(to: clock.now + .milliseconds(25))
        }
        clock.run(until: .milliseconds(75))
        subscription.cancel()
        expectEqual(log.entries, ["0 at 0.01 seconds", "1 at 0.04 seconds", "2 at 0.07 seconds"])
    }
}

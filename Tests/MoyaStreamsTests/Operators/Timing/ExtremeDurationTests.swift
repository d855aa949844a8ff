import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

/// Times that cannot be added to others, and negative ones.
@Suite(.queued, .timeLimit(.minutes(10))) struct ExtremeDurationTests {
    private let time = VirtualTime()

    @Test("the longest duration does not end the process")
    func longest() {
        let duration = Duration(attoseconds: .max)
        let source = time.cold("-a-b|")
        time.advance(by: .milliseconds(1))
        for stream in [
            source.debounce(for: duration, on: time), source.throttle(for: duration, latest: true, on: time),
            source.timeout(after: duration, on: time), source.buffer(for: duration, on: time).map { $0.joined() },
            source.take(for: duration, on: time),
        ] {
            stream.take(until: time.cold("---------x")).subscribe()
        }
        for stream in [source.delay(for: duration, on: time), source.delaySubscription(for: duration, on: time)] {
            stream.subscribe().cancel()
        }
        Observable.interval(duration, on: time).subscribe().cancel()
        time.advance(by: .milliseconds(20))
    }

    @Test("a negative duration counts as zero")
    func negative() {
        let source = time.cold("-a-(bc)-|")
        let recordings = [Duration.zero, .milliseconds(-5)].map { duration in
            [
                time.play(source.debounce(for: duration, on: time)), time.play(source.delay(for: duration, on: time)),
                time.play(source.throttle(for: duration, latest: true, on: time)),
                time.play(source.buffer(for: duration, on: time).map { $0.joined() }),
            ].map(\.marbles)
        }
        expectEqual(recordings[0], recordings[1])
    }
}

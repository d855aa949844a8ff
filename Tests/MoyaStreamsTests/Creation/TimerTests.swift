import Dispatch
import MoyaStreams
import TestSupport
import Testing

@Suite struct TimerTests {
    @Test("R35: an interval that was held up sends one value, skips the missed periods, and keeps its phase")
    func heldUp() {
        let clock = ManualClock()
        let log = Log()
        let subscription = Observable.interval(.milliseconds(10), on: clock).subscribeNext { value in
            log.add("\(value) at \(clock.now)")
        }
        clock.advance(to: .milliseconds(505))
        clock.run(until: .milliseconds(525))
        subscription.cancel()
        #expect(log.entries == ["0 at 0.505 seconds", "1 at 0.51 seconds", "2 at 0.52 seconds"])
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
        #expect(log.entries == ["0 at 0.01 seconds", "1 at 0.04 seconds", "2 at 0.07 seconds"])
    }

    @Test("R26: with a duration of zero, operators with time go through the main queue; `observe(on:)` does not")
    @MainActor func zeroOnTheMainScheduler() async throws {
        let log = Log()
        let done = Promise<Void>()
        let streams: [(String, Observable<Int>)] = [
            ("observe", Observable.just(0).observe(on: .main)),
            ("timer", Observable.timer(after: .zero, on: .main)),
            ("delay", Observable.just(0).delay(for: .zero, on: .main)),
            ("debounce", Observable.just(0).concat(Observable<Int>.never()).debounce(for: .zero, on: .main)),
            ("timeout", Observable.just(0).timeout(after: .zero, on: .main)),
            ("retry", Self.failingOnce().retry(.constant(.zero, times: 1), on: .main)),
        ]
        // Work of other tests may run first, so that `observe` is queued, too: it is only compared if it was not.
        for (name, stream) in streams {
            stream.subscribe(
                onNext: { _ in log.add(name) },
                onError: { _ in log.add("\(name) failed") })
            log.add("after \(name)")
        }
        DispatchQueue.main.async { done.fulfil(()) }
        try await done.value()
        for (name, _) in streams.dropFirst() where name != "timeout" {
            let (value, after) = (log.entries.firstIndex(of: name), log.entries.firstIndex(of: "after \(name)"))
            #expect(try #require(value) > #require(after), "\(name)")
        }
        #expect(!log.entries.contains("timeout failed"))
        #expect(log.entries.contains("timeout"))
    }

    private static func failingOnce() -> Observable<Int> {
        let isFirst = Box(true)
        return .deferred {
            defer { isFirst.value = false }
            return isFirst.value ? .error(Failure()) : .just(0)
        }
    }
}

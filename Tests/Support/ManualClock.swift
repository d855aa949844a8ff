package import MoyaScheduling

/// A scheduler whose work the test runs, so that the test can hold up the work.
package final class ManualClock: Scheduler {
    private struct State: Sendable {
        var now = Duration.zero
        var heap = TimerHeap<ScheduledWork>()
    }

    private let state = Locked(State())

    package init() {}

    package var now: Duration { state.withLock { $0.now } }

    package func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let work = ScheduledWork(work)
        state.withLock { $0.heap.insert(work, due: $0.now + max(delay, .zero)) }
        return work
    }

    /// Changes the time and runs no work.
    package func advance(to time: Duration) {
        state.withLock { $0.now = max($0.now, time) }
    }

    /// Runs the work that is due by `time`, and changes the time to the due time of each.
    package func run(until time: Duration) {
        while let work = state.withLock({ state -> ScheduledWork? in
            guard let entry = state.heap.pop(dueBy: time) else { return nil }
            state.now = max(state.now, entry.due)
            return entry.item
        }) {
            work.run()
        }
        advance(to: time)
    }
}

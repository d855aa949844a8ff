extension Clock where Duration == Swift.Duration {
    /// Returns a scheduler whose work becomes due by this clock: `ContinuousClock`, or one that another library's tests
    /// move.
    ///
    /// Work runs in tasks, one piece at a time. The scheduler's time begins at zero.
    ///
    /// ```swift
    /// let scheduler = ContinuousClock().scheduler()
    /// typed.debounce(for: .milliseconds(300), on: scheduler)
    /// ```
    public func scheduler() -> any Scheduler { ClockScheduler(self) }
}

private final class ClockScheduler<BaseClock: Clock>: Scheduler where BaseClock.Duration == Duration {
    /// Work is due in order, although tasks may wake in any order: the first one runs all that is due by its own time.
    private struct State: StepQueue {
        var heap = TimerHeap<ScheduledWork>()
        var now = Duration.zero
        var isRunningSteps = false

        mutating func nextStep() -> ScheduledWork? { heap.pop(dueBy: now)?.item }
    }

    private let clock: BaseClock
    private let start: BaseClock.Instant
    private let state = Locked(State())

    init(_ clock: BaseClock) {
        self.clock = clock
        start = clock.now
    }

    var now: Duration { start.duration(to: clock.now) }

    func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let due = now + delay.clamped
        let sleep = SingleAssignmentCancellable()
        let work = ScheduledWork(
            onCancel: { [weak self] in
                sleep.cancel()
                _ = self?.state.withLock { $0.heap.countCancelled(minimum: 0) { !$0.isWaiting } }
            }, work)
        state.withLock { $0.heap.insert(work, due: due) }
        sleep.store(
            TaskCancellable(
                task: Task { [self] in
                    if delay > .zero {
                        do { try await clock.sleep(until: start.advanced(by: due), tolerance: nil) } catch { return }
                    }
                    state.runSteps(after: { $0.now = max($0.now, due) }) { $0.run() }
                }))
        return work
    }
}

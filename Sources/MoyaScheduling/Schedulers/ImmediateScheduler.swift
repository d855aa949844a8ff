/// A scheduler that skips delays: work runs before `schedule` returns.
///
/// While one piece of work runs, further work is queued, no matter which thread schedules it. The stack therefore does
/// not grow if work schedules more work. Queued work runs after the running work has returned, in the order of due
/// times. ``Scheduler/now`` is the due time of the running work.
///
/// ```swift
/// let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(3), scheduler: .immediate)
/// ```
/// Schedule periodic work only from other work of this scheduler. Otherwise, `schedule` runs the periodic work and
/// never returns, because only the value that it returns can cancel the work.
public final class ImmediateScheduler: Scheduler {
    private struct State: Sendable {
        var now = Duration.zero
        var heap = TimerHeap<ScheduledWork>()
        var isRunning = false
    }

    private let state = Locked(State())

    fileprivate init() {}

    /// The due time of the running work, or of the work that ran last; zero at first.
    public var now: Duration { state.withLock { $0.now } }

    /// Runs `work` before the method returns, unless other work of this scheduler is running.
    ///
    /// In that case, `work` is queued and runs after the other work has returned.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let work = ScheduledWork(work)
        let isFirst = state.withLock { state in
            state.heap.insert(work, due: state.now + min(max(delay, .zero), .longest))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { while let next = next() { next.run() } }
        return work
    }

    private func next() -> ScheduledWork? {
        state.withLock { state in
            guard let entry = state.heap.pop(dueBy: state.now + .longest) else {
                state.isRunning = false
                return nil
            }
            // Only work that was not cancelled advances the time; cancelled work will not run.
            if entry.item.isWaiting { state.now = max(state.now, entry.due) }
            return entry.item
        }
    }
}

extension Scheduler where Self == ImmediateScheduler {
    /// A scheduler that skips delays; each access creates a new one.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}

/// A scheduler that skips delays: work runs before `schedule` returns.
///
/// Work that any thread schedules while other work runs is queued, so that the stack does not grow. Queued work runs in
/// the order of due times, after the other work has returned. ``Scheduler/now`` is the due time of the running work.
///
/// ```swift
/// let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(3), scheduler: .immediate)
/// ```
/// A call that schedules periodic work returns only after that work has cancelled itself.
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

    /// Runs `work` before the method returns, or, if other work is running, after that work has returned.
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
            // Cancelled work does not advance the time; running it does nothing.
            if entry.item.isWaiting { state.now = max(state.now, entry.due) }
            return entry.item
        }
    }
}

extension Scheduler where Self == ImmediateScheduler {
    /// A scheduler that skips delays; each access creates a new one.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}

/// A scheduler for which time passes at once: what is scheduled runs before `schedule` returns.
///
/// Work that is scheduled from inside work, or by another thread meanwhile, runs after it, in the order of its time, so
/// that the stack does not grow. ``Scheduler/now`` jumps to the time of what runs.
///
/// ```swift
/// let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(3), scheduler: .immediate)
/// ```
/// Periodic work that nobody cancels from inside never lets go.
public final class ImmediateScheduler: Scheduler {
    private struct State: Sendable {
        var now = Duration.zero
        var heap = TimerHeap<ScheduledWork>()
        var isRunning = false
    }

    private let state = Guarded(State())

    fileprivate init() {}

    /// The time since this scheduler was made, as far as work has moved it.
    public var now: Duration { state.withLock { $0.now } }

    /// Runs `work` now, or, from inside work, after it.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let work = ScheduledWork(work)
        let isFirst = state.withLock { state in
            state.heap.insert(work, due: state.now + max(delay, .zero))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { while let next = next() { next.run() } }
        return work
    }

    private func next() -> ScheduledWork? {
        state.withLock { state in
            guard let entry = state.heap.pop(dueBy: .longest * 2) else {
                state.isRunning = false
                return nil
            }
            // What was cancelled takes no time; running it does nothing.
            if entry.item.isWaiting { state.now = max(state.now, entry.due) }
            return entry.item
        }
    }
}

extension Scheduler where Self == ImmediateScheduler {
    /// A new scheduler for which time passes at once.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}

/// A scheduler that skips delays: work runs before `schedule` returns.
///
/// While one piece of work runs, further work is queued, no matter which thread schedules it. The stack therefore does
/// not grow if work schedules more work. Queued work runs after the running work has returned, in the order of due
/// times. ``Scheduler/now`` is the due time of the running work.
///
/// ```swift
/// let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(3), scheduler: .immediate)
/// ```
/// A deadline is work with a delay, too: the `Timeouts` of a provider expire before a transport has responded, and
/// `total` and `attempt` even before a stub has. For deadlines, use a virtual clock.
///
/// Schedule periodic work only from other work of this scheduler. Otherwise, `schedule` runs the periodic work and
/// never returns, because only the value that it returns can cancel the work.
public final class ImmediateScheduler: Scheduler {
    private struct State: StepQueue {
        var now = Duration.zero
        var heap = TimerHeap<ScheduledWork>()
        var isRunningSteps = false

        mutating func nextStep() -> ScheduledWork? {
            guard let entry = heap.pop(dueBy: now + .longest) else { return nil }
            if entry.item.isWaiting { now = max(now, entry.due) }
            return entry.item
        }
    }

    private let state = Locked(State())

    fileprivate init() {}

    /// The due time of the running work, or of the work that ran last; zero at first.
    public var now: Duration { state.withLock { $0.now } }

    /// Runs `work` before the method returns or, if other work of this scheduler is running, after that work.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let work = ScheduledWork(work)
        state.runSteps(after: { $0.heap.insert(work, due: $0.now + delay.clamped) }) { $0.run() }
        return work
    }
}

extension Scheduler where Self == ImmediateScheduler {
    /// A scheduler that skips delays; each access creates a new one.
    public static var immediate: ImmediateScheduler { ImmediateScheduler() }
}

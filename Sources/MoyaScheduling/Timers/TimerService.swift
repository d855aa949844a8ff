import Dispatch

/// The timers of the process, on one dispatch queue.
///
/// A wake-up of the queue is scheduled for the earliest timer only, so that a thousand deadlines that are cancelled in
/// time cost one wake-up.
final class TimerService: Sendable {
    static let shared = TimerService()

    private struct Timer: Sendable {
        let work: ScheduledWork
        let enqueue: @Sendable (ScheduledWork) -> Void
    }

    private struct State: Sendable {
        var heap = TimerHeap<Timer>()
        var cancelled = 0
        /// The time of the scheduled wake-up, if there is one.
        var wakeUp: Duration?
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "moya.timers", qos: .userInitiated)

    func schedule(
        after delay: Duration, _ enqueue: @escaping @Sendable (ScheduledWork) -> Void,
        _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let work = ScheduledWork(onCancel: { [self] in countCancelled() }, work)
        let due = MonotonicTime.now + min(delay, .longest)
        state.withLock { $0.heap.insert(Timer(work: work, enqueue: enqueue), due: due) }
        scheduleWakeUp()
        return work
    }

    /// Counts a cancelled timer, and removes all cancelled timers when they are the majority.
    private func countCancelled() {
        let dropped = state.withLock { state -> TimerHeap<Timer>? in
            state.cancelled += 1
            guard state.cancelled > 64, state.cancelled > state.heap.count / 2 else { return nil }
            let before = state.heap
            state.heap.removeAll { !$0.work.isWaiting }
            state.cancelled = 0
            return before
        }
        _ = dropped
    }

    private func scheduleWakeUp() {
        let now = MonotonicTime.now
        let due = state.withLock { state -> Duration? in
            guard let next = state.heap.next, next.due < state.wakeUp ?? .longest * 2 else { return nil }
            state.wakeUp = next.due
            return next.due
        }
        guard let due else { return }
        let delay = max(due - now, .zero).nanoseconds
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay))) { [self] in fire(for: due) }
    }

    /// Enqueues the timers that are due; does nothing if a wake-up for an earlier time has replaced this one.
    private func fire(for wakeUp: Duration) {
        let now = MonotonicTime.now
        let due = state.withLock { state -> [Timer]? in
            guard state.wakeUp == wakeUp else { return nil }
            state.wakeUp = nil
            var due: [Timer] = []
            while let entry = state.heap.pop(dueBy: now) { due.append(entry.item) }
            return due
        }
        guard let due else { return }
        for timer in due where timer.work.isWaiting { timer.enqueue(timer.work) }
        scheduleWakeUp()
    }
}

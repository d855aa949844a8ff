import Dispatch

/// All delays of the process.
///
/// A cancelled delay costs nothing but a mark: the queue underneath is only told of a time that is earlier than the one
/// it already waits for, so a thousand deadlines that never pass are one wake-up.
final class TimerService: Sendable {
    static let shared = TimerService()

    private struct Timer: Sendable {
        let work: ScheduledWork
        let enqueue: @Sendable (ScheduledWork) -> Void
    }

    private struct State: Sendable {
        var heap = TimerHeap<Timer>()
        var cancelled = 0
        /// When the queue will wake us, if it will.
        var wakeUp: Duration?
    }

    private let state = Guarded(State())
    private let queue = DispatchQueue(label: "moya.timers", qos: .userInitiated)

    func schedule(
        after delay: Duration, _ enqueue: @escaping @Sendable (ScheduledWork) -> Void,
        _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let work = ScheduledWork(onCancel: { [self] in forgetOne() }, work)
        let due = MonotonicTime.now + min(delay, .longest)
        state.withLock { $0.heap.insert(Timer(work: work, enqueue: enqueue), due: due) }
        wakeUpInTime()
        return work
    }

    /// Cancelled timers are thrown out when they are the greater part.
    private func forgetOne() {
        let dropped = state.withLock { state -> TimerHeap<Timer>? in
            state.cancelled += 1
            guard state.cancelled > 64, state.cancelled > state.heap.count / 2 else { return nil }
            let before = state.heap
            state.heap.keep { $0.work.isWaiting }
            state.cancelled = 0
            return before
        }
        _ = dropped
    }

    private func wakeUpInTime() {
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

    /// A wake-up for another time than the one that is waited for now was overtaken by an earlier one: it is not needed.
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
        wakeUpInTime()
    }
}

import Dispatch

// The timers of the process, on one dispatch queue. Only the earliest timer schedules a wake-up, so a thousand timers
// that are cancelled early cost one wake-up.
final class TimerService: Sendable {
    static let shared = TimerService()

    private typealias Timer = (work: ScheduledWork, scheduler: DispatchScheduler)

    private struct State: Sendable {
        var heap = TimerHeap<Timer>()
        var wakeUp: Duration?

        /// Returns the time of the wake-up to schedule, or `nil` if no additional wake-up is necessary.
        mutating func nextWakeUp() -> Duration? {
            guard let next = heap.next, next.due < wakeUp ?? .longest * 2 else { return nil }
            wakeUp = next.due
            return next.due
        }
    }

    private let state = Locked(State())
    private let queue = DispatchQueue(label: "moya.timers", qos: .userInitiated)

    func schedule(
        after delay: Duration, on scheduler: DispatchScheduler, _ work: @escaping @Sendable () -> Void
    ) -> ScheduledWork {
        let work = ScheduledWork(
            onCancel: { [self] in
                _ = state.withLock { $0.heap.countCancelled(minimum: 64) { !$0.work.isWaiting } }
            }, work)
        let due = MonotonicTime.now + min(delay, .longest)
        let wakeUp = state.withLock { state in
            state.heap.insert((work, scheduler), due: due)
            return state.nextWakeUp()
        }
        if let wakeUp { scheduleWakeUp(at: wakeUp) }
        return work
    }

    private func scheduleWakeUp(at due: Duration) {
        let delay = max(due - MonotonicTime.now, .zero).nanoseconds
        // `DispatchTimeInterval` counts in `Int`, which has only 32 bits on some watches: 2.1 seconds in nanoseconds.
        let deadline = DispatchTime(uptimeNanoseconds: DispatchTime.now().uptimeNanoseconds + UInt64(delay))
        queue.asyncAfter(deadline: deadline) { [self] in fire(for: due) }
    }

    /// Does nothing if an earlier wake-up has replaced the one at `wakeUp`.
    private func fire(for wakeUp: Duration) {
        let now = MonotonicTime.now
        let (due, next) = state.withLock { state -> ([Timer], Duration?) in
            guard state.wakeUp == wakeUp else { return ([], nil) }
            state.wakeUp = nil
            var due: [Timer] = []
            while let entry = state.heap.pop(dueBy: now) { due.append(entry.item) }
            return (due, state.nextWakeUp())
        }
        for timer in due where timer.work.isWaiting { timer.scheduler.enqueue(timer.work) }
        if let next { scheduleWakeUp(at: next) }
    }
}

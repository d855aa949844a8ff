/// Runs work now or later: on a queue with a real clock, or on a virtual clock that a test advances.
///
/// Work that is due at the same instant runs first in, first out. Work that was cancelled before it started does not
/// run. Work may schedule more work.
public protocol Scheduler: Sendable {
    /// The time since an origin that the scheduler chooses; it never decreases.
    var now: Duration { get }

    /// Runs `work` once after `delay`; a delay that is not positive means as soon as possible.
    ///
    /// The work is released after it has run, or when it is cancelled. Releasing the returned value does not cancel the
    /// work.
    ///
    /// - Parameters:
    ///   - delay: the time until the work is due.
    ///   - fileID: the file of the caller, for schedulers that report which code scheduled the work.
    ///   - line: the line of the caller.
    ///   - work: the closure to run.
    @discardableResult
    func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable
}

extension Scheduler {
    /// Runs `work` once after `delay`, by default as soon as possible.
    @discardableResult
    public func schedule(
        after delay: Duration = .zero, _ work: @escaping @Sendable () -> Void,
        fileID: String = #fileID, line: UInt = #line
    ) -> any Cancellable {
        schedule(after: delay, fileID: fileID, line: line, work)
    }

    /// Runs `work` periodically, the first time after `interval`, until the returned value is cancelled.
    ///
    /// The period does not drift: each run is due a whole number of intervals after the start, however late the
    /// previous runs were. Runs do not overlap. Periods that pass while the scheduler is held up, or while a run
    /// takes longer than the interval, are skipped: they are not made up for. The minimum interval is a millisecond.
    @discardableResult
    public func schedule(
        every interval: Duration, _ work: @escaping @Sendable () -> Void,
        fileID: String = #fileID, line: UInt = #line
    ) -> any Cancellable {
        schedule(every: interval, while: { true }, work, fileID: fileID, line: line)
    }

    /// Never runs `work` inside the call, even on ``main``, unless the scheduler skips delays.
    package func scheduleTimer(
        after delay: Duration, fileID: String = #fileID, line: UInt = #line, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        if delay <= .zero, let queue = self as? DispatchScheduler {
            let token = ScheduledWork(work)
            queue.enqueue(token, mayRunNow: false)
            return token
        }
        return schedule(after: delay, fileID: fileID, line: line, work)
    }

    /// Repeats until `condition` is `false`, which alone can end the work on an ``ImmediateScheduler``.
    package func schedule(
        every interval: Duration, while condition: @escaping @Sendable () -> Bool,
        _ work: @escaping @Sendable () -> Void,
        fileID: String = #fileID, line: UInt = #line
    ) -> any Cancellable {
        let periodicWork = PeriodicWork(
            on: self, every: max(interval.clamped, .milliseconds(1)), while: condition, fileID: fileID, line: line, work
        )
        periodicWork.scheduleNext()
        return periodicWork
    }
}

private final class PeriodicWork: Cancellable {
    private struct State: Sendable {
        /// `nil` after `cancel()`.
        var work: Work?
        var due: Duration
        var token: (any Cancellable)?
    }

    private let state: Locked<State>
    private let scheduler: any Scheduler
    private let interval: Duration
    private let condition: @Sendable () -> Bool
    private let fileID: String
    private let line: UInt

    init(
        on scheduler: any Scheduler, every interval: Duration, while condition: @escaping @Sendable () -> Bool,
        fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) {
        self.scheduler = scheduler
        self.interval = interval
        self.condition = condition
        self.fileID = fileID
        self.line = line
        state = Locked(State(work: Work(work), due: scheduler.now))
    }

    var isCancelled: Bool { state.withLock { $0.work == nil } }

    func cancel() {
        let (work, token) = state.withLock { (exchange(&$0.work, with: nil), exchange(&$0.token, with: nil)) }
        token?.cancel()
        withExtendedLifetime(work) {}
    }

    func scheduleNext() {
        let now = scheduler.now
        let due = state.withLock { state in
            state.due += interval
            // A period that is due now was missed, too: its work has just run.
            let missed = ((now - state.due) / interval).rounded(.down) + 1
            if missed > 0 { state.due += interval * Int64(min(missed, 1e15)) }
            return state.due
        }
        let token = scheduler.schedule(after: due - now, fileID: fileID, line: line) { self.run() }
        let (isCancelled, old) = state.withLock { state in
            defer { if state.work != nil { state.token = token } }
            return (state.work == nil, state.token)
        }
        withExtendedLifetime(old) {}
        if isCancelled { token.cancel() }
    }

    private func run() {
        guard let work = state.withLock({ $0.work }) else { return }
        work.run()
        if !isCancelled, condition() { scheduleNext() }
    }
}

public import MoyaScheduling

/// A scheduler on a virtual clock that runs delayed work late, as a busy queue does.
///
/// Use this scheduler to test that code reads the clock and does not rely on timers that fire on time.
///
/// ```swift
/// let time = VirtualTime()
/// let stream = source.throttle(for: .milliseconds(3), on: time.late(by: .milliseconds(2)))
/// ```
public struct LateScheduler: Scheduler {
    let time: VirtualTime
    let lateness: Duration

    /// The time of the virtual clock.
    public var now: Duration { time.now }

    /// Runs `work` when the clock has been moved by `delay` plus the lateness of the scheduler.
    ///
    /// Work without a delay runs on time.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        time.schedule(after: delay > .zero ? delay.clamped + lateness : delay, fileID: fileID, line: line, work)
    }
}

extension LateScheduler: VirtualScheduler {
    package var clock: any TaskExecutor { time }
}

extension VirtualTime {
    /// Returns a scheduler on this clock that runs delayed work later than its due time, by `lateness`.
    public func late(by lateness: Duration) -> LateScheduler {
        LateScheduler(time: self, lateness: lateness.clamped)
    }
}

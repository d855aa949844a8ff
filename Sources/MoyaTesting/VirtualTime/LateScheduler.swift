public import MoyaScheduling

/// A scheduler on a virtual clock that runs all delayed work late, as a busy queue does: for code that must go by the clock, and
/// not by the moment at which its timers fire.
///
/// ```swift
/// let time = VirtualTime()
/// let stream = source.throttle(for: .milliseconds(3), on: time.late(by: .milliseconds(2)))
/// ```
public struct LateScheduler: Scheduler {
    let time: VirtualTime
    let lateness: Duration

    /// The clock's time.
    public var now: Duration { time.now }

    /// Runs `work` when the clock has been moved by `delay` and by how late the scheduler is; without a delay, on time.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        time.schedule(after: delay > .zero ? delay + lateness : delay, fileID: fileID, line: line, work)
    }
}

extension VirtualTime {
    /// A scheduler on this clock that runs delayed work so much too late.
    public func late(by lateness: Duration) -> LateScheduler {
        LateScheduler(time: self, lateness: max(lateness, .zero))
    }
}

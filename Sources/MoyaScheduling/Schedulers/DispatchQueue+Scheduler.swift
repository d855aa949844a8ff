public import Dispatch

/// Makes each dispatch queue a scheduler.
///
/// ```swift
/// provider.request(.zen, callbackQueue: DispatchQueue.main) { result in … }
/// provider.request(.zen).observe(on: DispatchQueue(label: "parsing")).subscribeNext { … }
/// ```
/// Unlike ``Scheduler/main``, `DispatchQueue.main` always queues its work.
extension DispatchQueue: Scheduler {
    // Combine also adds members named `now` and `schedule` to `DispatchQueue`. The members here are disfavored
    // overloads, so that a call that fits both declarations is not ambiguous.
    /// The time of a monotonic clock that stops while the system is asleep.
    @_disfavoredOverload
    public var now: Duration { MonotonicTime.now }

    /// Runs `work` on the queue after `delay`.
    @_disfavoredOverload
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        DispatchScheduler(queue: self).schedule(after: delay, fileID: fileID, line: line, work)
    }
}

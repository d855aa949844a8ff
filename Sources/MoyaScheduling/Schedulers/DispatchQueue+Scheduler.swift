public import Dispatch

/// Makes each dispatch queue a scheduler.
///
/// ```swift
/// provider.request(.zen, callbackQueue: DispatchQueue.main) { result in … }
/// provider.request(.zen).observe(on: DispatchQueue(label: "parsing")).subscribeNext { … }
/// ```
/// Unlike ``Scheduler/main``, `DispatchQueue.main` always queues its work.
extension DispatchQueue: Scheduler {
    // These members are disfavored overloads, because Combine gives `DispatchQueue` members of the same names.
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

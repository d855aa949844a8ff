/// A place and a time where work runs: a queue with a real clock, or a virtual clock that a test moves.
///
/// Work for the same instant runs first in, first out; work that was cancelled before it started does not run; work may
/// schedule more work.
public protocol Scheduler: Sendable {
    /// The time since an origin of the scheduler's choice. It never goes back.
    var now: Duration { get }

    /// Runs `work` once when `delay` has passed; a delay that is not positive means as soon as possible.
    ///
    /// The work is released when it has run or was cancelled. Dropping the token does not cancel it.
    @discardableResult
    func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable
}

extension Scheduler {
    /// Runs `work` once, as soon as possible.
    @discardableResult
    public func schedule(_ work: @escaping @Sendable () -> Void) -> any Cancellable {
        schedule(after: .zero, work)
    }
}

import Foundation
import MoyaScheduling

/// A clock that does not wait: a sleep ends at once, and moves the clock to its deadline.
///
/// ```swift
/// let model = Model(clock: ImmediateClock())
/// ```
public final class ImmediateClock: Clock {
    private let elapsed = Locked(Duration.zero)

    /// Creates a clock at zero.
    public init() {}

    /// The latest deadline of a sleep.
    public var now: VirtualTime.Instant { VirtualTime.Instant(elapsed: elapsed.withLock { $0 }) }

    /// The minimum resolution, which is zero.
    public var minimumResolution: Duration { .zero }

    /// Moves the clock to `deadline`, and lets other tasks run.
    ///
    /// - Throws: `CancellationError` if the task is cancelled.
    public func sleep(until deadline: VirtualTime.Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        elapsed.withLock { $0 = max($0, deadline.elapsed) }
        await Task.yield()
    }
}

/// A clock that must not be used: it reports each sleep, which then ends at once.
///
/// ```swift
/// let clock = UnimplementedClock("retry") { Issue.record("\($0)") }
/// ```
public final class UnimplementedClock: Clock {
    private let scheduler: UnimplementedScheduler

    /// Creates a clock that reports its uses.
    ///
    /// - Parameters:
    ///   - label: the name of the clock in reports.
    ///   - onUse: called for each sleep; prints the use to standard error by default.
    public init(_ label: String, onUse: (@Sendable (UnimplementedScheduler.Use) -> Void)? = nil) {
        scheduler = UnimplementedScheduler(label, onUse: onUse)
    }

    /// The sleeps so far, in order.
    public var uses: [UnimplementedScheduler.Use] { scheduler.uses }

    /// The moment zero.
    public var now: VirtualTime.Instant { VirtualTime.Instant(elapsed: .zero) }

    /// The minimum resolution, which is zero.
    public var minimumResolution: Duration { .zero }

    /// Reports the use, and returns at once.
    public func sleep(until deadline: VirtualTime.Instant, tolerance: Duration? = nil) async throws {
        scheduler.reportSleep(deadline.elapsed)
    }
}

extension VirtualTime {
    /// Throws if timers or tasks still wait for this clock; open subscriptions are only in ``leftovers``.
    ///
    /// ```swift
    /// try time.checkSuspension()    // nothing sleeps, and nothing is scheduled
    /// ```
    public func checkSuspension() throws(VirtualTimeError) {
        let waiting = leftovers.filter { $0.kind != .subscription }
        guard !waiting.isEmpty else { return }
        throw VirtualTimeError(
            description: "still waiting for the virtual clock: \(waiting.map(\.description).joined(separator: "; "))")
    }
}

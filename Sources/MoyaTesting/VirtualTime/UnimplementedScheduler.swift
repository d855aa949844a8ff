import Foundation
public import MoyaScheduling

/// A scheduler that must not be used: it reports the source location of each use and runs no work.
///
/// ```swift
/// let scheduler = UnimplementedScheduler("search")
/// // … code that must not use the scheduler …
/// #expect(scheduler.uses.isEmpty)
/// ```
public final class UnimplementedScheduler: Scheduler {
    /// One unexpected use of the scheduler.
    public struct Use: Sendable, Hashable, CustomStringConvertible {
        /// The label of the scheduler.
        public let label: String
        /// The source location of the use.
        public let place: CallSite
        /// The delay with which the work was scheduled.
        public let delay: Duration
        /// Whether a clock was used, whose source location is unknown.
        var isSleep = false

        /// The source location, the label and the delay, on one line.
        public var description: String {
            isSleep
                ? "the clock \(label.debugDescription) was not expected to be used; a sleep of \(delay) ends at once"
                : "\(place): the scheduler \(label.debugDescription) was not expected to be used; work after \(delay) is lost"
        }
    }

    private let label: String
    private let onUse: @Sendable (Use) -> Void
    private let state = Locked<[Use]>([])

    /// Creates a scheduler that runs no work.
    ///
    /// - Parameters:
    ///   - label: the name of the scheduler in reports.
    ///   - onUse: called for each use, such as `{ Issue.record("\($0)") }`; prints the use to standard error by
    ///     default.
    public init(_ label: String, onUse: (@Sendable (Use) -> Void)? = nil) {
        self.label = label
        self.onUse = onUse ?? { use in FileHandle.standardError.write(Data("\(use)\n".utf8)) }
    }

    /// The uses so far, in order.
    public var uses: [Use] { state.withLock { $0 } }

    /// The time, which is always zero.
    public var now: Duration { .zero }

    /// Records and reports the use; does not run `work`.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        report(Use(label: label, place: CallSite(fileID: fileID, line: line), delay: delay))
        let lost = ScheduledWork {}
        lost.cancel()
        return lost
    }

    func reportSleep(_ duration: Duration) {
        report(Use(label: label, place: CallSite(fileID: #fileID, line: #line), delay: duration, isSleep: true))
    }

    private func report(_ use: Use) {
        state.withLock { $0.append(use) }
        onUse(use)
    }
}

extension Scheduler where Self == UnimplementedScheduler {
    /// Returns a scheduler that must not be used; see ``UnimplementedScheduler``.
    public static func unimplemented(
        _ label: String, onUse: (@Sendable (UnimplementedScheduler.Use) -> Void)? = nil
    ) -> UnimplementedScheduler {
        UnimplementedScheduler(label, onUse: onUse)
    }
}

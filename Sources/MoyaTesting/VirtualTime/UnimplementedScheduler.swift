import Foundation
public import MoyaScheduling

/// A scheduler that nobody is expected to use: it tells where somebody did, and runs nothing.
///
/// ```swift
/// let scheduler = UnimplementedScheduler("search")
/// // … what must not need the scheduler …
/// #expect(scheduler.uses.isEmpty)
/// ```
public final class UnimplementedScheduler: Scheduler {
    /// One use that was not expected.
    public struct Use: Sendable, Hashable, CustomStringConvertible {
        /// The scheduler's label.
        public let label: String
        /// Where it was used.
        public let place: SourceLocation
        /// After how long the work was to run.
        public let delay: Duration

        /// One line.
        public var description: String {
            "\(place): the scheduler \(label.debugDescription) was not expected to be used; work after \(delay) is lost"
        }
    }

    private let label: String
    private let onUse: @Sendable (Use) -> Void
    private let state = Locked<[Use]>([])

    /// A scheduler that runs nothing.
    ///
    /// - Parameters:
    ///   - label: names it in reports.
    ///   - onUse: told each use, such as `{ Issue.record("\($0)") }`; by default it is printed to standard error.
    public init(_ label: String, onUse: (@Sendable (Use) -> Void)? = nil) {
        self.label = label
        self.onUse = onUse ?? { use in FileHandle.standardError.write(Data("\(use)\n".utf8)) }
    }

    /// The uses so far, in order.
    public var uses: [Use] { state.withLock { $0 } }

    /// Always zero.
    public var now: Duration { .zero }

    /// Reports the use.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        let use = Use(label: label, place: SourceLocation(fileID: fileID, line: line), delay: delay)
        state.withLock { $0.append(use) }
        onUse(use)
        let lost = ScheduledWork {}
        lost.cancel()
        return lost
    }
}

extension Scheduler where Self == UnimplementedScheduler {
    /// A scheduler that nobody is expected to use; see ``UnimplementedScheduler``.
    public static func unimplemented(
        _ label: String, onUse: (@Sendable (UnimplementedScheduler.Use) -> Void)? = nil
    ) -> UnimplementedScheduler {
        UnimplementedScheduler(label, onUse: onUse)
    }
}

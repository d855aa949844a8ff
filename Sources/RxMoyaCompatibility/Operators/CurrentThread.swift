import Foundation
import MoyaScheduling
public import MoyaStreams

/// The scheduler of the current thread: work that is scheduled while other work runs, runs after it.
@available(*, deprecated, message: "use .immediate; delays are skipped")
public struct CurrentThreadScheduler: Scheduler {
    /// The scheduler.
    public static let instance = CurrentThreadScheduler()
    /// Whether no work of this scheduler runs on this thread.
    public static var isScheduleRequired: Bool { CurrentThread.queue == nil }
    /// The due time of the latest work: delays that were skipped count as passed.
    public var now: Duration { CurrentThread.clock.withLock(\.self) }

    /// Runs `work` at once, or after the work of this scheduler that runs on this thread, without delays.
    @discardableResult @preconcurrency
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable { CurrentThread.schedule(after: delay, work) }
}

enum CurrentThread {
    fileprivate final class Work {
        var items = Queue<ScheduledWork>()
    }

    private static let key = "moya.current-thread"
    fileprivate static let clock = Locked(Duration.zero)
    fileprivate static var queue: Work? { Thread.current.threadDictionary[key] as? Work }

    static func schedule(after delay: Duration = .zero, _ work: @escaping @Sendable () -> Void) -> any Cancellable {
        let due = clock.withLock { $0 + max(delay, .zero).clamped }
        let item = ScheduledWork {
            clock.withLock { $0 = max($0, due) }
            work()
        }
        if let queue { queue.items.append(item) } else { run { item.run() } }
        return item
    }

    /// Runs `body`, and then the work that it has scheduled on this thread.
    static func run<Result>(_ body: () -> Result) -> Result {
        guard queue == nil else { return body() }
        let queue = Work()
        Thread.current.threadDictionary[key] = queue
        defer { Thread.current.threadDictionary[key] = nil }
        let result = body()
        while let next = queue.items.popFirst() { next.run() }
        return result
    }
}

public import Dispatch
import Foundation
import Synchronization

/// A scheduler with a real clock, whose work runs on a dispatch queue.
///
/// ```swift
/// provider.request(.zen, callbackQueue: .main) { result in … }
/// provider.request(.zen).observe(on: .serial(label: "parsing")).subscribeNext { … }
/// ```
public struct DispatchScheduler: Scheduler {
    /// `nil` for the main queue.
    fileprivate let queue: DispatchQueue?

    /// Creates a scheduler whose work runs on the given queue.
    ///
    /// On a concurrent queue, several pieces of work may run at the same time.
    public init(queue: DispatchQueue) {
        self.queue = queue
    }

    fileprivate init(main: Void) {
        queue = nil
    }

    /// The time of a monotonic clock that stops while the system is asleep.
    public var now: Duration { MonotonicTime.now }

    /// Runs `work` on the queue after `delay`.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        guard delay > .zero else {
            let token = ScheduledWork(work)
            enqueue(token)
            return token
        }
        return TimerService.shared.schedule(after: delay, on: self, work)
    }

    /// Runs `work` on the queue, without a delay; unless `mayRunNow`, never inside this call.
    func enqueue(_ work: ScheduledWork, mayRunNow: Bool = true) {
        if let queue { return queue.async { work.run() } }
        let isFirst = pendingOnMain.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
        let perform = { @Sendable in
            work.run()
            pendingOnMain.wrappingSubtract(1, ordering: .acquiringAndReleasing)
        }
        if isFirst, mayRunNow, Thread.isMainThread { perform() } else { DispatchQueue.main.async(execute: perform) }
    }
}

extension Scheduler where Self == DispatchScheduler {
    /// The scheduler of the main queue.
    ///
    /// Work runs immediately if the caller is on the main thread and no other work of this scheduler is queued or
    /// running. Otherwise, the work is queued. Queued work runs only in a process that runs its main queue, such as an
    /// app.
    public static var main: DispatchScheduler { DispatchScheduler(main: ()) }

    /// Returns a scheduler of the given queue.
    public static func queue(_ queue: DispatchQueue) -> DispatchScheduler { DispatchScheduler(queue: queue) }

    /// Returns a scheduler of a new serial queue.
    public static func serial(label: String) -> DispatchScheduler {
        DispatchScheduler(queue: DispatchQueue(label: label))
    }

    /// The scheduler of a serial background queue that all users of this package share.
    ///
    /// Work that blocks this queue delays other work on it, but no deadline, retry or decoding of a provider. A
    /// provider with this scheduler, which is the default, runs them on a concurrent queue.
    public static var background: DispatchScheduler { DispatchScheduler(queue: backgroundQueue) }

    /// The global dispatch queue, for work that could block the thread of a transport, such as closures of callers.
    package static var deliveries: DispatchScheduler { .queue(.global()) }
}

private let backgroundQueue = DispatchQueue(label: "moya.background")

/// The number of pieces of work that are queued or running on the main queue.
private let pendingOnMain = Atomic<Int>(0)

/// A monotonic clock, which starts when it is first read, and stops while the system sleeps.
package enum MonotonicTime {
    private static let origin = SuspendingClock.now

    package static var now: Duration { origin.duration(to: .now) }
}

extension Scheduler {
    package var isBackground: Bool { (self as? DispatchScheduler)?.queue === backgroundQueue }

    // For the package's own timers and decoding. Not the queue of `.background`, which the app may block.
    package var forInternalWork: any Scheduler { isBackground ? DispatchScheduler.deliveries : self }
}

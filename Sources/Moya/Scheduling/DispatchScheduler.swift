public import Dispatch
import Foundation
import Synchronization

/// A scheduler in real time whose work runs on a dispatch queue.
///
/// ```swift
/// provider.request(.zen, callbackQueue: .main) { result in … }
/// provider.request(.zen).observe(on: .serial(label: "parsing")).subscribeNext { … }
/// ```
public struct DispatchScheduler: Scheduler {
    private enum Place: Sendable {
        case queue(DispatchQueue)
        case main
    }

    private let place: Place

    /// A scheduler on the given queue.
    ///
    /// On a concurrent queue, work for the same instant may overlap.
    public init(queue: DispatchQueue) {
        place = .queue(queue)
    }

    fileprivate init(main: Void) {
        place = .main
    }

    /// A monotonic clock that does not count while the system sleeps.
    public var now: Duration { MonotonicTime.now }

    /// Runs `work` on the queue when `delay` has passed.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        guard delay > .zero else {
            let token = ScheduledWork(work)
            enqueue(token)
            return token
        }
        return TimerService.shared.schedule(after: delay, { enqueue($0) }, work)
    }

    private func enqueue(_ work: ScheduledWork) {
        switch place {
        case .queue(let queue): queue.async { work.run() }
        case .main: MainQueue.run(work)
        }
    }
}

extension Scheduler where Self == DispatchScheduler {
    /// The main queue.
    ///
    /// Work runs at once when the caller is on the main thread and none of this scheduler's work is queued or running;
    /// else it waits for its turn. A process that never runs its main queue never runs this work.
    public static var main: DispatchScheduler { DispatchScheduler(main: ()) }

    /// A queue of yours.
    public static func queue(_ queue: DispatchQueue) -> DispatchScheduler { DispatchScheduler(queue: queue) }

    /// A new serial queue.
    public static func serial(label: String) -> DispatchScheduler {
        DispatchScheduler(queue: DispatchQueue(label: label))
    }

    /// A serial queue of this package, where timers fire when nobody gave a scheduler.
    public static var background: DispatchScheduler { DispatchScheduler(queue: backgroundQueue) }
}

private let backgroundQueue = DispatchQueue(label: "moya.background")

/// The rule of `Scheduler.main`: in place only when nothing of ours is before it.
private enum MainQueue {
    private static let waiting = Atomic<Int>(0)

    static func run(_ work: ScheduledWork) {
        let isFirst = waiting.wrappingAdd(1, ordering: .acquiringAndReleasing).oldValue == 0
        if isFirst, Thread.isMainThread {
            perform(work)
        } else {
            DispatchQueue.main.async { perform(work) }
        }
    }

    private static func perform(_ work: ScheduledWork) {
        work.run()
        waiting.wrappingSubtract(1, ordering: .acquiringAndReleasing)
    }
}

/// Time since the first look at the clock.
package enum MonotonicTime {
    private static let origin = SuspendingClock.now

    package static var now: Duration { SuspendingClock.now - origin }
}

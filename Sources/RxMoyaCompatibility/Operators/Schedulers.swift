public import Foundation
import MoyaScheduling
public import MoyaStreams

/// RxSwift's name for `Scheduler`.
@available(*, deprecated, renamed: "Scheduler")
public typealias SchedulerType = Scheduler

/// RxSwift's name for `Scheduler`.
@available(*, deprecated, renamed: "Scheduler")
public typealias ImmediateSchedulerType = Scheduler

/// The scheduler of the main queue.
@available(*, deprecated, message: "use .main, as in observe(on: .main)")
public enum MainScheduler {
    /// The main queue; work runs immediately if the caller is on the main thread and no other work is queued.
    public static var instance: DispatchScheduler { .main }
    /// The main queue; work is always queued, and never runs immediately.
    public static var asyncInstance: DispatchScheduler { DispatchScheduler(queue: .main) }

    /// Ends the process if the caller is not on the main thread.
    @available(*, deprecated, message: "use @MainActor, which the compiler checks")
    public static func ensureRunningOnMainThread(errorMessage: String? = nil) {
        precondition(Thread.isMainThread, errorMessage ?? "the caller is not on the main thread")
    }
}

/// The scheduler of the main queue.
@available(*, deprecated, message: "use .main, as in observe(on: .main)")
public typealias ConcurrentMainScheduler = MainScheduler

/// A scheduler on a serial queue.
@available(*, deprecated, message: "use .serial(label:), .background, or a DispatchQueue")
public struct SerialDispatchQueueScheduler: Scheduler {
    private let scheduler: DispatchScheduler

    /// Creates a scheduler on a new queue.
    public init(qos: DispatchQoS, internalSerialQueueName: String = "rx.global_dispatch_queue.serial") {
        scheduler = DispatchScheduler(queue: DispatchQueue(label: internalSerialQueueName, qos: qos))
    }

    /// Creates a scheduler on a new queue.
    public init(internalSerialQueueName: String) { scheduler = .serial(label: internalSerialQueueName) }

    /// Creates a scheduler on a new serial queue that runs its work on the given queue.
    public init(queue: DispatchQueue, internalSerialQueueName: String) {
        scheduler = DispatchScheduler(queue: DispatchQueue(label: internalSerialQueueName, target: queue))
    }

    /// The time of a monotonic clock.
    public var now: Duration { scheduler.now }

    /// Runs `work` on the queue after `delay`.
    @discardableResult @preconcurrency
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable { scheduler.schedule(after: delay, fileID: fileID, line: line, work) }
}

/// A scheduler on a concurrent queue.
@available(*, deprecated, message: "use a DispatchQueue, which is a Scheduler")
public typealias ConcurrentDispatchQueueScheduler = DispatchScheduler

extension DispatchScheduler {
    /// Creates a scheduler on a new concurrent queue.
    @available(*, deprecated, message: "use a DispatchQueue, which is a Scheduler")
    public init(qos: DispatchQoS) {
        self.init(queue: DispatchQueue(label: "rx.concurrent", qos: qos, attributes: .concurrent))
    }
}

extension Scheduler {
    /// Runs an action with a state.
    @available(*, deprecated, message: "use schedule { }")
    @preconcurrency public func schedule<State: Sendable>(
        _ state: State, action: @escaping @Sendable (State) -> any Cancellable
    ) -> any Disposable { scheduleRelative(state, dueTime: .zero, action: action) }

    /// Runs an action with a state after a duration.
    @available(*, deprecated, message: "use schedule(after:_:)")
    @preconcurrency public func scheduleRelative<State: Sendable>(
        _ state: State, dueTime: Duration, action: @escaping @Sendable (State) -> any Cancellable
    ) -> any Disposable {
        // The action may run before `schedule` returns.
        let started = SerialDisposable()
        let scheduled = schedule(after: dueTime) { started.disposable = action(state) }
        return Disposables.create(scheduled, started)
    }

    /// Runs an action with a state after a duration, and then again and again.
    @available(*, deprecated, message: "use schedule(every:_:)")
    @preconcurrency public func schedulePeriodic<State: Sendable>(
        _ state: State, startAfter: Duration, period: Duration, action: @escaping @Sendable (State) -> State
    ) -> any Disposable {
        scheduleRelative(state, dueTime: startAfter) { [self] state in
            let current = Locked(action(state))
            return schedule(every: period) {
                let next = action(current.withLock(\.self))
                current.withLock { $0 = next }
            }
        }
    }
}

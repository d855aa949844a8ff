public import Foundation
public import MoyaScheduling

// Types of RxSwift, declared as unavailable, so that a compiler error names the replacement. An unavailable
// type does not hide an available type of the same name: in a file that also imports RxSwift, these names mean the
// types of RxSwift.

/// Not available: a stream of one value is an `Observable`.
@available(
    *, unavailable, renamed: "Observable",
    message: "first() and value() await its value; RxMoyaCompatibility has a Single"
)
public typealias Single<Element: Sendable> = Observable<Element>

/// Not available: a stream of at most one value is an `Observable`.
@available(*, unavailable, renamed: "Observable", message: "RxMoyaCompatibility has a Maybe")
public typealias Maybe<Element: Sendable> = Observable<Element>

/// Not available: a stream without values is an `Observable<Never>`.
@available(*, unavailable, message: "use Observable<Never>; RxMoyaCompatibility has a Completable")
public typealias Completable = Observable<Never>

/// Not available: the protocol of all streams is `Subscribable`.
@available(*, unavailable, renamed: "Subscribable")
public typealias ObservableType = Subscribable

/// Not available: the protocol of all streams is `Subscribable`.
@available(*, unavailable, renamed: "Subscribable")
public typealias ObservableConvertibleType = Subscribable

/// Not available: renamed.
@available(*, unavailable, renamed: "SubscriptionBag")
public typealias DisposeBag = SubscriptionBag

/// Not available: renamed.
@available(*, unavailable, renamed: "Subscription")
public typealias Disposable = Subscription

/// Not available: `Emitter.onTermination(_:)` receives the closure for the end.
@available(*, unavailable, message: "use emitter.onTermination { … }; a stream without a teardown needs nothing")
public enum Disposables {
    /// Returns a token whose `cancel` does nothing.
    public static func create() -> any Cancellable { .noOp }
    /// Returns a token whose `cancel` does nothing.
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancellable { .noOp }
}

/// Not available: renamed.
@available(*, unavailable, renamed: "Emitter")
public typealias AnyObserver = Emitter

/// Not available: a signal and its emitter take the place of subjects and relays.
@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public struct Subject<Element: Sendable>: Subscribable {
    /// Not available: a signal and its emitter take the place of subjects and relays.
    public init() {}
    /// Not available: a signal and its emitter take the place of subjects and relays.
    public static func create(bufferSize: Int) -> Subject { Subject() }
    /// Not available: a signal sends the values.
    public var observable: Observable<Element> { .never() }
    /// Not available: an emitter sends values.
    public func accept(_ element: Element) {}
    /// Not available: an emitter sends values.
    public func onNext(_ element: Element) {}
    /// Not available: an emitter sends the failure.
    public func onError(_ error: any Error) {}
    /// Not available: an emitter sends the completion.
    public func onCompleted() {}
}

/// Not available: a signal and its emitter take the place of subjects and relays.
@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public struct ValueSubject<Element: Sendable>: Subscribable {
    /// Not available: a signal stores the value.
    public let value: Element
    /// Not available: a signal and its emitter take the place of subjects and relays.
    public init(value: Element) {
        self.value = value
    }
    /// Not available: a signal sends the values.
    public var observable: Observable<Element> { .never() }
    /// Not available: an emitter sends values.
    public func accept(_ element: Element) {}
    /// Not available: an emitter sends values.
    public func onNext(_ element: Element) {}
    /// Not available: an emitter sends the failure.
    public func onError(_ error: any Error) {}
    /// Not available: an emitter sends the completion.
    public func onCompleted() {}
}

/// Not available: a signal and its emitter take the place of subjects.
@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public typealias PublishSubject = Subject

/// Not available: a signal and its emitter take the place of relays.
@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public typealias PublishRelay = Subject

/// Not available: a signal and its emitter take the place of subjects.
@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public typealias BehaviorSubject = ValueSubject

/// Not available: a signal and its emitter take the place of relays.
@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public typealias BehaviorRelay = ValueSubject

/// Not available: a signal and its emitter take the place of subjects.
@available(*, unavailable, message: "use Signal.pipe(replay:), which returns a signal and its emitter")
public typealias ReplaySubject = Subject

/// Not available: the main queue is `.main`.
@available(*, unavailable, message: "use .main, as in observe(on: .main)")
public enum MainScheduler {
    /// The main queue.
    public static var instance: DispatchScheduler { .main }
    /// The main queue.
    public static var asyncInstance: DispatchScheduler { .main }
}

/// Not available: a serial queue is `.serial(label:)`, and any `DispatchQueue` is a scheduler.
@available(*, unavailable, message: "use .serial(label:), .background, or a DispatchQueue")
public struct SerialDispatchQueueScheduler: Scheduler {
    /// Not available: a serial queue is `.serial(label:)`.
    public init(qos: DispatchQoS, internalSerialQueueName: String = "") {}
    /// Not available: a serial queue is `.serial(label:)`.
    public init(internalSerialQueueName: String) {}
    /// Not available: any `DispatchQueue` is a scheduler.
    public init(queue: DispatchQueue, internalSerialQueueName: String = "") {}
    /// Zero.
    public var now: Duration { .zero }
    /// Does nothing.
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable { .noOp }
}

/// Not available: a serial queue is `.serial(label:)`, and any `DispatchQueue` is a scheduler.
@available(*, unavailable, message: "use a DispatchQueue, .serial(label:) or .background")
public typealias ConcurrentDispatchQueueScheduler = SerialDispatchQueueScheduler

/// Not available: renamed.
@available(*, unavailable, renamed: "Scheduler")
public typealias SchedulerType = Scheduler

/// Not available: renamed.
@available(*, unavailable, renamed: "Duration")
public typealias RxTimeInterval = Duration

extension ShareScope {
    /// Not available: renamed.
    @available(*, unavailable, renamed: "whileSubscribed")
    public static var whileConnected: ShareScope { .whileSubscribed }
}

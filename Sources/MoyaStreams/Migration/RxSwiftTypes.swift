// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation
public import MoyaScheduling

// These types of RxSwift are declared as unavailable, so that a compiler error names the replacement. In a file that
// also imports RxSwift, the names mean the types of RxSwift, because an unavailable type does not hide an available
// type of the same name.

@available(
    *, unavailable, renamed: "Observable",
    message: "first() and value() await its value; RxMoyaCompatibility has a Single"
)
public typealias Single<Element: Sendable> = Observable<Element>

@available(*, unavailable, renamed: "Observable", message: "RxMoyaCompatibility has a Maybe")
public typealias Maybe<Element: Sendable> = Observable<Element>

@available(*, unavailable, message: "use Observable<Never>; RxMoyaCompatibility has a Completable")
public typealias Completable = Observable<Never>

@available(*, unavailable, renamed: "Observable", message: "subscribe(onMain:) delivers on the main actor")
public typealias Driver<Element: Sendable> = Observable<Element>

@available(*, unavailable, renamed: "Observable", message: "its error is any Error: end it with catchAndReturn(_:)")
public typealias Infallible<Element: Sendable> = Observable<Element>

@available(*, unavailable, message: "write extension Subscribable where Element == Response")
public typealias PrimitiveSequence = Observable

@available(*, unavailable, message: "write extension Subscribable where Element == Response")
public enum SingleTrait {}

@available(*, unavailable, message: "write extension MoyaProvider, and request(_:) without rx")
public protocol Reactive {
    associatedtype Base
}

extension Event {
    @available(*, unavailable, message: "use if case .next(let element) = event")
    public var element: Element? { nil }

    @available(*, unavailable, message: "use if case .error(let error) = event")
    public var error: (any Error)? { nil }

    @available(*, unavailable, message: "use if case .completed = event")
    public var isCompleted: Bool { false }
}

@available(*, unavailable, renamed: "SubscriptionBag")
public typealias CompositeDisposable = SubscriptionBag

@available(*, unavailable, renamed: "Subscribable")
public typealias ObservableType = Subscribable

@available(*, unavailable, renamed: "Subscribable")
public typealias ObservableConvertibleType = Subscribable

@available(*, unavailable, renamed: "SubscriptionBag")
public typealias DisposeBag = SubscriptionBag

@available(*, unavailable, renamed: "Subscription")
public typealias Disposable = Subscription

@available(*, unavailable, message: "use emitter.onTermination { … }; a stream without a teardown needs nothing")
public enum Disposables {
    /// Not available: remove the call, because a stream without a teardown needs no `Disposable`.
    public static func create() -> any Cancellable { .noOp }
    /// Not available: use `Emitter.onTermination(_:)`.
    public static func create(with dispose: @escaping @Sendable () -> Void) -> any Cancellable { .noOp }
}

@available(*, unavailable, renamed: "Emitter")
public typealias AnyObserver = Emitter

@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public struct Subject<Element: Sendable>: Subscribable {
    /// Not available: `Signal.pipe()` replaces this initializer.
    public init() {}
    /// Not available: `Signal.pipe(replay:)` replaces this method.
    public static func create(bufferSize: Int) -> Subject { Subject() }
    /// Not available: `Signal.observable` replaces this property.
    public var observable: Observable<Element> { .never() }
    /// Not available: `Emitter.send(_:)` replaces this method.
    public func accept(_ element: Element) {}
    /// Not available: `Emitter.send(_:)` replaces this method.
    public func onNext(_ element: Element) {}
    /// Not available: `Emitter.fail(_:)` replaces this method.
    public func onError(_ error: any Error) {}
    /// Not available: `Emitter.complete()` replaces this method.
    public func onCompleted() {}
}

@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public struct ValueSubject<Element: Sendable>: Subscribable {
    /// Not available: `Signal.value` replaces this property.
    public let value: Element
    /// Not available: `Signal.pipe(value:)` replaces this initializer.
    public init(value: Element) {
        self.value = value
    }
    /// Not available: `Signal.observable` replaces this property.
    public var observable: Observable<Element> { .never() }
    /// Not available: `Emitter.send(_:)` replaces this method.
    public func accept(_ element: Element) {}
    /// Not available: `Emitter.send(_:)` replaces this method.
    public func onNext(_ element: Element) {}
    /// Not available: `Emitter.fail(_:)` replaces this method.
    public func onError(_ error: any Error) {}
    /// Not available: `Emitter.complete()` replaces this method.
    public func onCompleted() {}
}

@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public typealias PublishSubject = Subject

@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public typealias PublishRelay = Subject

@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public typealias BehaviorSubject = ValueSubject

@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public typealias BehaviorRelay = ValueSubject

@available(*, unavailable, message: "use Signal.pipe(replay:), which returns a signal and its emitter")
public typealias ReplaySubject = Subject

@available(*, unavailable, message: "use .main, as in observe(on: .main)")
public enum MainScheduler {
    /// The scheduler of the main queue.
    public static var instance: DispatchScheduler { .main }
    /// The scheduler of the main queue.
    public static var asyncInstance: DispatchScheduler { .main }
}

@available(*, unavailable, message: "use .serial(label:), .background, or a DispatchQueue")
public struct SerialDispatchQueueScheduler: Scheduler {
    /// Not available: the scheduler `.serial(label:)` replaces this initializer.
    public init(qos: DispatchQoS, internalSerialQueueName: String = "") {}
    /// Not available: the scheduler `.serial(label:)` replaces this initializer.
    public init(internalSerialQueueName: String) {}
    /// Not available: use the queue itself, because every `DispatchQueue` is a scheduler.
    public init(queue: DispatchQueue, internalSerialQueueName: String = "") {}
    /// Always zero, because the type is unavailable.
    public var now: Duration { .zero }
    /// Does nothing, because the type is unavailable.
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable { .noOp }
}

@available(*, unavailable, message: "use a DispatchQueue, .serial(label:) or .background")
public typealias ConcurrentDispatchQueueScheduler = SerialDispatchQueueScheduler

@available(*, unavailable, renamed: "Scheduler")
public typealias SchedulerType = Scheduler

@available(*, unavailable, renamed: "Duration")
public typealias RxTimeInterval = Duration

extension ShareScope {
    @available(*, unavailable, renamed: "whileSubscribed")
    public static var whileConnected: ShareScope { .whileSubscribed }
}

@available(*, unavailable, message: "await first(), value() or toArray().value(), or play the stream in VirtualTime")
public struct BlockingObservable<Element: Sendable> {
    /// Not available: await `first()` of the stream.
    public func first() throws -> Element? { nil }
    /// Not available: await `single().value()` of the stream.
    public func single() throws -> Element { throw CancellationError() }
    /// Not available: await `toArray().value()` of the stream.
    public func toArray() throws -> [Element] { [] }
}

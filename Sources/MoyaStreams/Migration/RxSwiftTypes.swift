// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

public import Foundation

// Unavailable stand-ins for types of RxSwift. In a file that also imports RxSwift, the names mean the types of RxSwift,
// because an unavailable type does not hide an available type of the same name.

@available(
    *, unavailable, renamed: "Observable",
    message: "first() and value() await its value; RxMoyaCompatibility has a Single"
)
public typealias Single<Element: Sendable> = Observable<Element>

@available(*, unavailable, renamed: "Observable", message: "RxMoyaCompatibility has a Maybe")
public typealias Maybe<Element: Sendable> = Observable<Element>

@available(*, unavailable, message: "use ignoreElements(), which keeps the type: Observable<Response>")
public typealias Completable = Observable<Never>

@available(*, unavailable, renamed: "Observable", message: "subscribe(onMain:) delivers on the main actor")
public typealias Driver<Element: Sendable> = Observable<Element>

@available(*, unavailable, message: "use Observable, whose subscribe(onMain:) delivers on the main actor")
public struct SharedSequence<Strategy, Element> {}

@available(*, unavailable, message: "use Observable, whose subscribe(onMain:) delivers on the main actor")
public enum DriverSharingStrategy {}

@available(*, unavailable, renamed: "Subscribable")
public typealias SharedSequenceConvertibleType = Subscribable

extension Signal {
    @available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
    public convenience init() { self.init(limit: 0) }

    @available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
    public convenience init(value: Element) { self.init(limit: 1) }
}

@available(*, unavailable, renamed: "Observable", message: "its error is any Error: end it with catchAndReturn(_:)")
public typealias Infallible<Element: Sendable> = Observable<Element>

@available(*, unavailable, message: "write extension Subscribable where Element == Response")
public struct PrimitiveSequence<Trait, Element> {}

@available(*, unavailable, message: "write extension Subscribable where Element == Response")
public protocol PrimitiveSequenceType {
    associatedtype Trait
    associatedtype Element
}

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
    public static func create() -> any Cancellable { .noOp }
    public static func create(with dispose: () -> Void) -> any Cancellable { .noOp }
    // For closures that return nothing.
    public static func create() {}
    public static func create(with dispose: () -> Void) {}
}

@available(*, unavailable, renamed: "Emitter")
public typealias AnyObserver = Emitter

@available(*, unavailable, message: "use Signal.pipe(), which returns a signal and its emitter")
public struct Subject<Element: Sendable>: Subscribable {
    public init() {}
    public init(value: Element) {}
    public init(_ value: Element) {}
    public static func create(bufferSize: Int) -> Subject { Subject() }
    public static func createUnbounded() -> Subject { Subject() }
    public var value: Element { preconditionFailure("a stand-in is not called") }
    public var observable: Observable<Element> { .never() }
    public func accept(_ element: Element) {}
    public func send(_ element: Element) {}
    public func onNext(_ element: Element) {}
    public func onError(_ error: any Error) {}
    public func onCompleted() {}
}

@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public typealias ValueSubject = Subject

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
    public static var instance: DispatchScheduler { .main }
    public static var asyncInstance: DispatchScheduler { .main }
}

@available(*, unavailable, message: "use .serial(label:), .background, or a DispatchQueue")
public struct SerialDispatchQueueScheduler: Scheduler {
    public init(qos: DispatchQoS, internalSerialQueueName: String = "") {}
    public init(internalSerialQueueName: String) {}
    public init(queue: DispatchQueue, internalSerialQueueName: String = "") {}
    public var now: Duration { .zero }
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
    public func first() throws -> Element? { nil }
    public func single() throws -> Element { throw CancellationError() }
    public func toArray() throws -> [Element] { [] }
}

public import MoyaStreams

/// A subject or relay, which receives values.
public protocol ValueReceiver<Element>: Sendable {
    /// The type of the values.
    associatedtype Element: Sendable

    /// Sends a value to the subscribers.
    func accept(_ element: Element)
}

/// A subject without an initial value.
@available(*, deprecated, message: "use Signal.pipe(), which returns a signal and its emitter")
public final class PublishSubject<Element: Sendable>: Subscribable, ValueReceiver {
    private let pipe = Signal<Element>.pipe()

    /// Creates a subject.
    public init() {}

    /// The values that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Whether the subject has subscribers.
    public var hasObservers: Bool { pipe.signal.hasObservers }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
    /// Sends a value to the subscribers.
    public func onNext(_ element: Element) { pipe.emitter.send(element) }
    /// Ends the subject with an error.
    public func onError(_ error: any Error) { pipe.emitter.fail(error) }
    /// Completes the subject.
    public func onCompleted() { pipe.emitter.complete() }
    /// The emitter of the subject.
    public func asObserver() -> Emitter<Element> { pipe.emitter }
}

/// A subject that always has a value.
@available(*, deprecated, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public final class BehaviorSubject<Element: Sendable>: Subscribable, ValueReceiver {
    private let pipe: (signal: Signal<Element>, emitter: Emitter<Element>)
    private let initial: Element

    /// Creates a subject with a value.
    public init(value: Element) {
        pipe = Signal.pipe(value: value)
        initial = value
    }

    /// The latest value, and those that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Whether the subject has subscribers.
    public var hasObservers: Bool { pipe.signal.hasObservers }
    /// Returns the latest value; also after the end.
    public func value() throws -> Element { pipe.signal.value ?? initial }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
    /// Sends a value to the subscribers.
    public func onNext(_ element: Element) { pipe.emitter.send(element) }
    /// Ends the subject with an error.
    public func onError(_ error: any Error) { pipe.emitter.fail(error) }
    /// Completes the subject.
    public func onCompleted() { pipe.emitter.complete() }
    /// The emitter of the subject.
    public func asObserver() -> Emitter<Element> { pipe.emitter }
}

/// A subject that replays values to later subscribers.
@available(*, deprecated, message: "use Signal.pipe(replay:), which returns a signal and its emitter")
public final class ReplaySubject<Element: Sendable>: Subscribable, ValueReceiver {
    private let pipe: (signal: Signal<Element>, emitter: Emitter<Element>)

    private init(_ replay: ReplayPolicy) {
        pipe = Signal.pipe(replay: replay)
    }

    /// Returns a subject that replays a number of values.
    public static func create(bufferSize: Int) -> ReplaySubject { ReplaySubject(.latest(bufferSize)) }
    /// Returns a subject that replays all values, which it retains.
    public static func createUnbounded() -> ReplaySubject { ReplaySubject(.all) }

    /// The replayed values, and those that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Whether the subject has subscribers.
    public var hasObservers: Bool { pipe.signal.hasObservers }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
    /// Sends a value to the subscribers.
    public func onNext(_ element: Element) { pipe.emitter.send(element) }
    /// Ends the subject with an error.
    public func onError(_ error: any Error) { pipe.emitter.fail(error) }
    /// Completes the subject.
    public func onCompleted() { pipe.emitter.complete() }
    /// The emitter of the subject.
    public func asObserver() -> Emitter<Element> { pipe.emitter }
}

/// A subject that always has a value and never ends.
@available(*, deprecated, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public final class BehaviorRelay<Element: Sendable>: Subscribable, ValueReceiver {
    private let pipe: (signal: Signal<Element>, emitter: Emitter<Element>)
    private let initial: Element

    /// Creates a relay with a value.
    public init(value: Element) {
        pipe = Signal.pipe(value: value)
        initial = value
    }

    /// The latest value.
    public var value: Element { pipe.signal.value ?? initial }
    /// The latest value, and those that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
}

/// A subject without an initial value that never ends.
@available(*, deprecated, message: "use Signal.pipe(), which returns a signal and its emitter")
public final class PublishRelay<Element: Sendable>: Subscribable, ValueReceiver {
    private let pipe = Signal<Element>.pipe()

    /// Creates a relay.
    public init() {}

    /// The values that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
}

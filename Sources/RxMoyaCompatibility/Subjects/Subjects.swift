import MoyaScheduling
public import MoyaStreams

/// A type that receives events: an emitter or a subject.
@available(*, deprecated, renamed: "Emitter")
public protocol ObserverType<Element>: Sendable {
    /// The type of the values.
    associatedtype Element: Sendable

    /// Receives an event.
    func on(_ event: Event<Element>)
}

@available(*, deprecated, message: "use send(_:), fail(_:) and complete() of an Emitter")
extension ObserverType {
    /// Sends a value to the subscribers.
    public func onNext(_ element: Element) { on(.next(element)) }
    /// Ends the stream with an error.
    public func onError(_ error: any Error) { on(.error(error)) }
    /// Completes the stream.
    public func onCompleted() { on(.completed) }
    /// The observer as a value.
    @_disfavoredOverload
    public func asObserver() -> AnyObserver<Element> { AnyObserver(self) }

    /// Returns an observer that transforms values before it passes them on.
    @preconcurrency public func mapObserver<Input: Sendable>(
        _ transform: @escaping @Sendable (Input) throws -> Element
    ) -> AnyObserver<Input> { AnyObserver { event in on(event.map(transform)) } }
}

@available(*, deprecated) extension Emitter: ObserverType {}

/// A hot stream and the emitter that sends its events, in one object.
@available(*, deprecated, message: "use Signal.pipe(), which returns a signal and its emitter")
public protocol SubjectType<Element>: ObservableType, ObserverType {
    /// The stream of the subject.
    var signal: Signal<Element> { get }

    /// Returns the emitter that sends the events of the subject.
    func asObserver() -> Emitter<Element>
}

@available(*, deprecated, message: "use Signal.pipe(), which returns a signal and its emitter")
extension SubjectType {
    /// A stream of the replayed values, if any, and of the events that are sent after the subscription.
    public var observable: Observable<Element> { signal.observable }
    /// Whether the subject has subscribers.
    public var hasObservers: Bool { signal.hasObservers }
    /// Sends an event to the subscribers.
    public func on(_ event: Event<Element>) { asObserver().on(event) }
    /// Fails the subscribers, present and later ones, with `RxError.disposed`.
    @available(*, deprecated, message: "use fail(_:); present subscribers receive the error, too, unlike RxSwift's")
    public func dispose() { onError(RxError.disposed(object: "\(Self.self)")) }
}

/// A subject whose subscribers receive only values that are sent after their subscription.
@available(*, deprecated, message: "use Signal.pipe(), which queues values that are sent while one is delivered")
public final class PublishSubject<Element: Sendable>: SubjectType {
    /// The stream of the subject.
    public let signal: Signal<Element>
    private let emitter: Emitter<Element>

    /// Creates a subject.
    public init() { (signal, emitter) = Signal.pipe() }
    /// Returns the emitter that sends the events of the subject.
    public func asObserver() -> Emitter<Element> { emitter }
}

/// A subject that always has a value; each new subscriber receives the latest value first, until the subject ends.
@available(*, deprecated, message: "use Signal.pipe(value:), which replays its value even after its end")
public final class BehaviorSubject<Element: Sendable>: SubjectType {
    /// The stream of the subject, which replays the latest value even after its end.
    public let signal: Signal<Element>
    private let emitter: ValueEmitter<Element>
    private let hasEnded = OneShotFlag()
    /// Creates a subject with a value.
    public init(value: Element) {
        (signal, emitter) = Signal.pipe(value: value)
        emitter.emitter.onTermination { [hasEnded] in _ = hasEnded.setIfUnset() }
    }

    /// A stream of the latest value, and of the events that are sent after the subscription.
    public var observable: Observable<Element> {
        // The signal delivers its values before the flag is set, so only a value replayed after the end is dropped.
        signal.observable.filter { [hasEnded] _ in !hasEnded.isSet }
    }

    /// Returns the latest value, even after the completion.
    public func value() throws -> Element {
        let failure = Locked<(any Error)?>(nil)
        // If the subject has failed, the subscription receives the error before `subscribe` returns.
        signal.subscribe(onError: { error in failure.withLock { $0 = error } }).cancel()
        if let error = failure.withLock(\.self) { throw error }
        return emitter.value
    }

    /// Returns the latest value without waiting, even after the completion.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        func currentValue() throws -> Element { try value() }
        return try currentValue()
    }

    /// Returns the emitter that sends the events of the subject.
    public func asObserver() -> Emitter<Element> { emitter.emitter }
}

/// A subject that replays values to later subscribers.
@available(*, deprecated, message: "use Signal.pipe(replay:), which returns a signal and its emitter")
public final class ReplaySubject<Element: Sendable>: SubjectType {
    /// The stream of the subject.
    public let signal: Signal<Element>
    private let emitter: Emitter<Element>
    private init(_ replay: ReplayPolicy) { (signal, emitter) = Signal.pipe(replay: replay) }
    /// Returns a subject that replays the latest `bufferSize` values.
    public static func create(bufferSize: Int) -> ReplaySubject { ReplaySubject(.latest(bufferSize)) }
    /// Returns a subject that retains and replays all values.
    public static func createUnbounded() -> ReplaySubject { ReplaySubject(.all) }
    /// Returns the emitter that sends the events of the subject.
    public func asObserver() -> Emitter<Element> { emitter }
}

/// A subject that sends its last value when it completes.
@available(*, deprecated, message: "use takeLast(1) and a signal that replays")
public final class AsyncSubject<Element: Sendable>: SubjectType {
    /// The stream of the subject.
    public let signal: Signal<Element>
    private let emitter: Emitter<Element>
    private let last: Emitter<Element>

    /// Creates a subject.
    public init() {
        (signal, emitter) = Signal.pipe(replay: .latest(1))
        let (values, last) = Signal<Element>.pipe()
        self.last = last
        values.plain.takeLast(1).subscribe { [emitter] event in emitter.send(event: event) }
    }

    /// Returns the emitter that sends the events of the subject.
    public func asObserver() -> Emitter<Element> { last }
}

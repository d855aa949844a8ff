// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Unavailable stand-ins for names of ReactiveSwift and ReactiveMoya, as in `CombineOperators.swift`.

@available(*, unavailable, message: "use flatMapLatest, concatMap, flatMap or flatMapFirst")
public enum FlattenStrategy {
    case latest, concat, merge, race, throttle
}

@available(*, unavailable, message: "use Observable<Value>, whose error is any Error")
public typealias SignalProducer<Value: Sendable, Failure> = Observable<Value>

@available(*, unavailable, message: "use subscribe(_:), whose events are .next, .error and .completed")
public enum ProducerEvent<Value> {
    case value(Value)
    case failed(MoyaError)
    case completed, interrupted
}

@available(*, unavailable, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public final class MutableProperty<Value: Sendable> {
    public var value: Value
    public init(_ value: Value) {
        self.value = value
    }
    public var signal: Observable<Value> { .never() }
    public var producer: Observable<Value> { .never() }
}

extension MoyaProvider {
    @available(*, unavailable, message: "the provider itself has the streams, as in provider.request(target)")
    public var rx: MoyaProvider { self }

    @available(*, unavailable, message: "the provider itself has the streams, as in provider.request(target)")
    public var reactive: MoyaProvider { self }
}

extension Subscribable {
    @available(*, unavailable, renamed: "subscribe()")
    @discardableResult
    public func start() -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(_:), or subscribe(onNext:onError:onCompleted:)")
    @discardableResult
    public func start(_ body: (Event<Element>) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(_:), whose events are .next, .error and .completed")
    @_disfavoredOverload
    @discardableResult
    public func start(_ body: (ProducerEvent<Element>) -> Void) -> Subscription { subscribe() }

    @available(
        *, unavailable,
        message: "use flatMapLatest for .latest, concatMap for .concat, flatMap for .merge, flatMapFirst for .throttle"
    )
    public func flatMap<Inner: Subscribable>(
        _ strategy: FlattenStrategy, _ transform: (Element) -> Inner
    ) -> Observable<Inner.Element> { .empty() }

    @available(*, unavailable, renamed: "subscribe(onNext:onError:onCompleted:)")
    @discardableResult
    public func startWithResult(_ body: (Result<Element, any Error>) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, renamed: "subscribeNext(_:)")
    @discardableResult
    public func startWithValues(_ body: (Element) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, renamed: "subscribeNext(_:)")
    @discardableResult
    public func observeValues(_ body: (Element) -> Void) -> Subscription { subscribe() }
}

extension Emitter {
    @available(*, unavailable, renamed: "send(_:)")
    public func send(value: Element) { send(value) }

    @available(*, unavailable, renamed: "fail(_:)")
    public func send(error: any Error) { fail(error) }

    @available(*, unavailable, renamed: "complete()")
    public func sendCompleted() { complete() }
}

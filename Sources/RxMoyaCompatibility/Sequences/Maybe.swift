import MoyaScheduling
public import MoyaStreams

extension PrimitiveSequence where Trait == MaybeTrait {
    /// Receives the event of a `Maybe`.
    public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

    /// Creates a `Maybe` whose event `subscribe` sends; the token that `subscribe` returns is cancelled at the end.
    @available(*, deprecated, message: "use Observable { emitter in … }")
    public static func create(
        subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Cancellable
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            Observable { emitter in
                let token = subscribe { event in
                    switch event {
                    case .success(let element):
                        emitter.send(element)
                        emitter.complete()
                    case .error(let error): emitter.fail(error)
                    case .completed: emitter.complete()
                    }
                }
                emitter.onTermination { token.cancel() }
            })
    }

    /// Returns a `Maybe` of a value.
    public static func just(_ element: Element) -> PrimitiveSequence { PrimitiveSequence(.just(element)) }

    /// Returns a `Maybe` without a value.
    public static func empty() -> PrimitiveSequence { PrimitiveSequence(.empty()) }

    /// Transforms the value.
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Output
    ) -> PrimitiveSequence<MaybeTrait, Output> { PrimitiveSequence<MaybeTrait, Output>(observable.map(transform)) }

    /// Continues with the sequence that `transform` returns for the value.
    public func flatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> PrimitiveSequence<MaybeTrait, Output>
    ) -> PrimitiveSequence<MaybeTrait, Output> {
        PrimitiveSequence<MaybeTrait, Output>(observable.flatMap { try transform($0).observable })
    }

    /// Sends a default if there is no value.
    public func ifEmpty(default element: Element) -> PrimitiveSequence<SingleTrait, Element> {
        PrimitiveSequence<SingleTrait, Element>(observable.ifEmpty(default: element))
    }

    /// Continues with another sequence if there is no value.
    public func ifEmpty(
        switchTo other: PrimitiveSequence<SingleTrait, Element>
    ) -> PrimitiveSequence<SingleTrait, Element> {
        PrimitiveSequence<SingleTrait, Element>(observable.ifEmpty(switchTo: other.observable))
    }

    /// The sequence as a `Single`, which fails if there is no value.
    public func asSingle() -> PrimitiveSequence<SingleTrait, Element> {
        PrimitiveSequence<SingleTrait, Element>(observable.single())
    }

    /// Subscribes with a closure for each kind of event.
    ///
    /// Without `onError`, a failure is reported to `UnhandledError`.
    @available(*, deprecated, message: "use subscribe(onNext:onError:onCompleted:) of the observable")
    @discardableResult
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        // `onCompleted` of a `Maybe` is called only if there was no value.
        let hasValue = OneShotFlag()
        return observable.subscribe(
            onNext: { element in
                _ = hasValue.setIfUnset()
                onSuccess?(element)
            },
            onError: onError, onCompleted: { if !hasValue.isSet { onCompleted?() } }, fileID: fileID, line: line)
    }
}

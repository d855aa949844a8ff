import MoyaScheduling
public import MoyaStreams

extension PrimitiveSequence where Trait == MaybeTrait {
    /// Receives the event of a `Maybe`.
    public typealias MaybeObserver = @Sendable (MaybeEvent<Element>) -> Void

    /// Creates a `Maybe` from a closure, which is called once for each subscription and sends the event.
    @available(*, deprecated, message: "use Observable { emitter in … }")
    @preconcurrency public static func create(
        subscribe: @escaping @Sendable (@escaping MaybeObserver) -> any Cancellable
    ) -> Self {
        Observable.withToken { emitter in
            subscribe { event in
                switch event {
                case .success(let element): emitter.end(with: Result<_, any Error>.success(element))
                case .error(let error): emitter.fail(error)
                case .completed: emitter.complete()
                }
            }
        }.sequence()
    }

    /// Returns a `Maybe` that completes without a value.
    public static func empty() -> Self { Self(.empty()) }

    /// Sends `element` if the sequence completes without a value.
    public func ifEmpty(default element: Element) -> PrimitiveSequence<SingleTrait, Element> {
        observable.ifEmpty(default: element).sequence()
    }

    /// Continues with `other` if the sequence completes without a value.
    public func ifEmpty(
        switchTo other: PrimitiveSequence<SingleTrait, Element>
    ) -> PrimitiveSequence<SingleTrait, Element> { observable.ifEmpty(switchTo: other.observable).sequence() }

    /// Continues with `other` if the sequence completes without a value.
    public func ifEmpty(switchTo other: Self) -> Self { Self(observable.ifEmpty(switchTo: other.observable)) }

    /// Calls closures for the events, and sends the events unchanged.
    @available(*, deprecated, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    @preconcurrency public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onSubscribe: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        observable.handleEvents(
            onSubscribe: onSubscribe, onNext: onNext, onError: onError, onCompleted: onCompleted, onEnd: onDispose
        ).sequence()
    }

    /// Waits for the value and returns it; returns `nil` if the sequence completes without a value.
    @available(*, deprecated, message: "use value() of the observable, or toArray()")
    public var value: Element? {
        get async throws { try await observable.map(Optional.some).ifEmpty(default: nil).value() }
    }

    /// Subscribes with one closure, which receives the value, the failure or the completion without a value.
    @available(*, deprecated, message: "use subscribe(_:) of the observable, which receives each Event")
    @preconcurrency @discardableResult public func subscribe(_ observer: @escaping MaybeObserver) -> Subscription {
        subscribe(
            onSuccess: { observer(.success($0)) }, onError: { observer(.error($0)) },
            onCompleted: { observer(.completed) })
    }

    /// Subscribes with a closure for each kind of event.
    @available(*, deprecated, message: "use subscribe(onNext:onError:onCompleted:) of the observable")
    @discardableResult @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onDisposed: (@Sendable () -> Void)? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        // `onCompleted` of a `Maybe` is called only if there was no value.
        let hasValue = OneShotFlag()
        return observable.handleEvents(onEnd: onDisposed).subscribe(
            onNext: { element in
                _ = hasValue.setIfUnset()
                onSuccess?(element)
            },
            onError: onError, onCompleted: { if !hasValue.isSet { onCompleted?() } }, fileID: fileID, line: line)
    }

    /// Converts the `Maybe` to a `Single`, which fails without a value.
    @available(*, deprecated, renamed: "single()")
    public func asSingle() -> PrimitiveSequence<SingleTrait, Element> {
        observable.ifEmpty(switchTo: .error(RxError.noElements)).sequence()
    }

    /// Subscribes with closures that receive an object, which is not retained.
    @available(*, deprecated, message: "use subscribe(onMain:) for views and view models, or await value()")
    @preconcurrency @discardableResult public func subscribe<Owner: AnyObject & Sendable>(
        with object: Owner, onSuccess: (@Sendable (Owner, Element) -> Void)? = nil,
        onError: (@Sendable (Owner, any Error) -> Void)? = nil, onCompleted: (@Sendable (Owner) -> Void)? = nil,
        onDisposed: (@Sendable (Owner) -> Void)? = nil
    ) -> Subscription {
        let isOver = BooleanDisposable()
        return observable.subscribe(
            with: object,
            onNext: { object, element in
                isOver.dispose()
                onSuccess?(object, element)
            }, onError: onError, onCompleted: { if !isOver.isDisposed { onCompleted?($0) } }, onDisposed: onDisposed)
    }
}

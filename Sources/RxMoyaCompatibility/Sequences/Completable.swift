public import MoyaStreams

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// Receives the event of a `Completable`.
    public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

    /// Creates a `Completable` from a closure, which is called once for each subscription and sends the event.
    @available(*, deprecated, message: "use Observable<Never> { emitter in … }")
    @preconcurrency public static func create(
        subscribe: @escaping @Sendable (@escaping CompletableObserver) -> any Cancellable
    ) -> Self {
        Observable.withToken { emitter in
            subscribe { event in
                switch event {
                case .error(let error): emitter.fail(error)
                case .completed: emitter.complete()
                }
            }
        }.sequence()
    }

    /// Returns a `Completable` that completes immediately.
    public static func empty() -> Self { Self(.empty()) }

    /// Continues with a `Single` after the completion.
    public func andThen<Next: Sendable>(
        _ next: PrimitiveSequence<SingleTrait, Next>
    ) -> PrimitiveSequence<SingleTrait, Next> { observable.followed(by: next.observable).sequence() }

    /// Continues with another `Completable` after the completion.
    public func andThen(_ next: Self) -> Self { Self(observable.followed(by: next.observable)) }
    /// Continues with a stream after the completion.
    public func andThen<Next: Sendable>(_ next: Observable<Next>) -> Observable<Next> { observable.followed(by: next) }

    /// Calls closures for the events, and sends the events unchanged.
    @available(*, deprecated, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    @preconcurrency public func `do`(
        onError: (@Sendable (any Error) -> Void)? = nil, onCompleted: (@Sendable () -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        Self(observable.do(onError: onError, onCompleted: onCompleted, onSubscribe: onSubscribe, onDispose: onDispose))
    }

    /// Waits for the completion.
    @available(*, deprecated, message: "use value() of toArray()")
    public var value: Void { get async throws { _ = try await observable.toArray().observable.value() } }

    /// Subscribes with one closure, which receives the completion or the failure.
    @preconcurrency @discardableResult public func subscribe(_ observer: @escaping CompletableObserver) -> Subscription
    {
        observable.plain.subscribe(onError: { observer(.error($0)) }, onCompleted: { observer(.completed) })
    }

    /// Subscribes with a closure for the completion and one for the failure.
    @discardableResult @preconcurrency
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        observable.handleEvents(onEnd: onDisposed).plain.subscribe(
            onError: onError, onCompleted: onCompleted, fileID: fileID, line: line)
    }

    /// Continues with a `Maybe` after the completion.
    public func andThen<Next: Sendable>(
        _ next: PrimitiveSequence<MaybeTrait, Next>
    ) -> PrimitiveSequence<MaybeTrait, Next> { observable.followed(by: next.observable).sequence() }

    /// Completes after both sequences, one after the other.
    @available(*, deprecated, renamed: "andThen(_:)") public func concat(_ second: Self) -> Self { andThen(second) }
    /// Completes after all sequences, one after the other.
    @available(*, deprecated, message: "use Observable.concat(_:)")
    public static func concat(_ sequence: some Sequence<Self>) -> Self { Self(.concat(sequence.map(\.observable))) }
    /// Completes after all sequences, one after the other.
    @available(*, deprecated, message: "use Observable.concat(_:)")
    public static func concat(_ sources: Self...) -> Self { concat(sources) }
    /// Completes when all sequences have.
    @available(*, deprecated, message: "use Observable.merge(_:)")
    public static func zip(_ sources: some Collection<Self>) -> Self { Self(.merge(sources.map(\.observable))) }
    /// Completes when all sequences have.
    @available(*, deprecated, message: "use Observable.merge(_:)")
    public static func zip(_ sources: Self...) -> Self { zip(sources) }

    /// Completes when all sequences have.
    @available(*, deprecated, message: "use Observable.merge(_:)")
    public static func merge(_ sources: some Collection<Self>) -> Self { zip(sources) }
    /// Completes when all sequences have.
    @available(*, deprecated, message: "use Observable.merge(_:)")
    public static func merge(_ sources: Self...) -> Self { zip(sources) }

    /// Subscribes with closures that receive an object, which is not retained.
    @available(*, deprecated, message: "use subscribe(onMain:) for views and view models")
    @preconcurrency @discardableResult public func subscribe<Owner: AnyObject & Sendable>(
        with object: Owner, onCompleted: (@Sendable (Owner) -> Void)? = nil,
        onError: (@Sendable (Owner, any Error) -> Void)? = nil, onDisposed: (@Sendable (Owner) -> Void)? = nil
    ) -> Subscription {
        observable.subscribe(with: object, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}

extension Observable {
    func withoutElements<Other: Sendable>() -> Observable<Other> { compactMap { _ -> Other? in nil } }

    func followed<Next: Sendable>(by next: Observable<Next>) -> Observable<Next> {
        Observable<Next>.concat([withoutElements(), next])
    }
}

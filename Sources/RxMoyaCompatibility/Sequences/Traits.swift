public import MoyaStreams

// Members of RxSwift's traits that are one expression over the observable.
extension PrimitiveSequence {
    /// Subscribes after a duration.
    @available(*, deprecated, renamed: "delaySubscription(for:on:)")
    public func delaySubscription(_ dueTime: Duration, scheduler: any Scheduler) -> PrimitiveSequence {
        PrimitiveSequence(observable.delaySubscription(for: dueTime, on: scheduler))
    }

    /// Continues with another sequence if no event arrives for `dueTime`.
    @available(*, deprecated, renamed: "timeout(after:switchTo:on:)")
    public func timeout(
        _ dueTime: Duration, other: PrimitiveSequence, scheduler: any Scheduler
    ) -> PrimitiveSequence {
        PrimitiveSequence(observable.timeout(after: dueTime, switchTo: other.observable, on: scheduler))
    }

    /// Returns a sequence with a resource, which is disposed of at the end.
    @available(*, deprecated, renamed: "using(_:stream:close:)")
    @preconcurrency public static func using<Resource: Cancellable>(
        _ resourceFactory: @escaping @Sendable () throws -> Resource,
        primitiveSequenceFactory: @escaping @Sendable (Resource) throws -> PrimitiveSequence
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            .using(resourceFactory, stream: { try primitiveSequenceFactory($0).observable }, close: { $0.cancel() }))
    }

    /// Sends the events of the sequence that is first to send one.
    @available(*, deprecated, message: "use Observable.race(_:)")
    public static func amb(_ sequence: some Sequence<PrimitiveSequence>) -> PrimitiveSequence {
        PrimitiveSequence(.race(sequence.map(\.observable)))
    }

    /// Drops the value.
    @available(*, deprecated, message: "use ignoreElements()")
    public func asCompletable() -> PrimitiveSequence<CompletableTrait, Never> {
        PrimitiveSequence<CompletableTrait, Never>(observable.withoutElements())
    }

    /// The same value as a `Maybe`.
    @available(*, deprecated, renamed: "observable")
    public func asMaybe() -> PrimitiveSequence<MaybeTrait, Element> {
        PrimitiveSequence<MaybeTrait, Element>(observable)
    }
}

extension PrimitiveSequence where Trait == SingleTrait {
    /// Returns a `Single` that sends a value on a scheduler.
    @available(*, deprecated, message: "use just(_:) and subscribe(on:)")
    public static func just(_ element: Element, scheduler: any Scheduler) -> PrimitiveSequence {
        PrimitiveSequence(.just(element, scheduler: scheduler))
    }

    /// Calls closures for the events, before and after they are sent on.
    @available(*, deprecated, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    @preconcurrency public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil, afterSuccess: (@Sendable (Element) throws -> Void)?,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil, onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil, onDispose: (@Sendable () -> Void)? = nil
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            observable.do(
                onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
                onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose))
    }

    /// Subscribes with closures that receive an object, which is not retained.
    @available(*, deprecated, message: "use subscribe(onMain:) for views and view models, or await value()")
    @preconcurrency @discardableResult public func subscribe<Owner: AnyObject & Sendable>(
        with object: Owner, onSuccess: (@Sendable (Owner, Element) -> Void)? = nil,
        onFailure: (@Sendable (Owner, any Error) -> Void)? = nil, onDisposed: (@Sendable (Owner) -> Void)? = nil
    ) -> Subscription {
        observable.subscribe(with: object, onNext: onSuccess, onError: onFailure, onDisposed: onDisposed)
    }
}

extension PrimitiveSequence where Trait == SingleTrait, Element == Int {
    /// Returns a `Single` that sends `0` after a duration.
    @available(*, deprecated, renamed: "timer(after:on:)")
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> PrimitiveSequence {
        PrimitiveSequence(.timer(after: dueTime, on: scheduler))
    }
}

extension PrimitiveSequence where Trait == MaybeTrait {
    /// Converts the `Maybe` to a `Single`, which fails without a value.
    @available(*, deprecated, renamed: "single()")
    public func asSingle() -> PrimitiveSequence<SingleTrait, Element> {
        PrimitiveSequence<SingleTrait, Element>(observable.ifEmpty(switchTo: .error(RxError.noElements)))
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

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// Continues with a `Maybe` after the completion.
    public func andThen<Next: Sendable>(
        _ next: PrimitiveSequence<MaybeTrait, Next>
    ) -> PrimitiveSequence<MaybeTrait, Next> {
        PrimitiveSequence<MaybeTrait, Next>(observable.followed(by: next.observable))
    }

    /// Completes after both sequences, one after the other.
    @available(*, deprecated, renamed: "andThen(_:)")
    public func concat(_ second: PrimitiveSequence) -> PrimitiveSequence { andThen(second) }

    /// Completes after all sequences, one after the other.
    @available(*, deprecated, message: "use Observable.concat(_:)")
    public static func concat(_ sequence: some Sequence<PrimitiveSequence>) -> PrimitiveSequence {
        PrimitiveSequence(.concat(sequence.map(\.observable)))
    }

    /// Completes after all sequences, one after the other.
    @available(*, deprecated, message: "use Observable.concat(_:)")
    public static func concat(_ sources: PrimitiveSequence...) -> PrimitiveSequence { concat(sources) }

    /// Completes when all sequences have.
    @available(*, deprecated, message: "use Observable.merge(_:)")
    public static func zip(_ sources: some Collection<PrimitiveSequence>) -> PrimitiveSequence {
        PrimitiveSequence(.merge(sources.map(\.observable)))
    }

    /// Completes when all sequences have.
    @available(*, deprecated, message: "use Observable.merge(_:)")
    public static func zip(_ sources: PrimitiveSequence...) -> PrimitiveSequence { zip(sources) }

    /// Subscribes with closures that receive an object, which is not retained.
    @available(*, deprecated, message: "use subscribe(onMain:) for views and view models")
    @preconcurrency @discardableResult public func subscribe<Owner: AnyObject & Sendable>(
        with object: Owner, onCompleted: (@Sendable (Owner) -> Void)? = nil,
        onError: (@Sendable (Owner, any Error) -> Void)? = nil, onDisposed: (@Sendable (Owner) -> Void)? = nil
    ) -> Subscription {
        observable.subscribe(with: object, onError: onError, onCompleted: onCompleted, onDisposed: onDisposed)
    }
}

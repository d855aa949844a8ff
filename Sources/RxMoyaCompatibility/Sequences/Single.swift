public import MoyaStreams

extension PrimitiveSequence where Trait == SingleTrait {
    /// Receives the event of a `Single`.
    public typealias SingleObserver = @Sendable (Result<Element, any Error>) -> Void

    /// Creates a `Single` from a closure, which is called once for each subscription and sends the event.
    @available(*, deprecated, message: "use Observable { emitter in … }, or Observable(task:) for an async function")
    @preconcurrency public static func create(
        subscribe: @escaping @Sendable (@escaping SingleObserver) -> any Cancellable
    ) -> Self {
        Self(.withToken { emitter in subscribe { emitter.end(with: $0) } })
    }

    /// Combines the values of several sequences in a tuple.
    public static func zip<each Value: Sendable>(
        _ sources: repeat PrimitiveSequence<SingleTrait, each Value>
    ) -> Self where Element == (repeat each Value) { Self(.zip(repeat (each sources).observable)) }

    /// Combines the values of several sequences with a closure.
    @preconcurrency public static func zip<each Value: Sendable>(
        _ sources: repeat PrimitiveSequence<SingleTrait, each Value>,
        resultSelector: @escaping @Sendable (repeat each Value) throws -> Element
    ) -> Self { Self(.zip(repeat (each sources).observable, resultSelector: resultSelector)) }

    /// Sends an array of the values of all sources; the array is empty if `sources` is empty.
    public static func zip(
        _ sources: some Collection<Self>
    ) -> PrimitiveSequence<SingleTrait, [Element]> { zip(sources) { $0 } }

    /// Calls `resultSelector` with an array of the values of all sources; the array is empty if `sources` is empty.
    @preconcurrency public static func zip<Output: Sendable>(
        _ sources: some Collection<Self>,
        resultSelector: @escaping @Sendable ([Element]) throws -> Output
    ) -> PrimitiveSequence<SingleTrait, Output> {
        let values: Observable<[Element]> = sources.isEmpty ? .just([]) : .zip(sources.map(\.observable))
        return PrimitiveSequence<SingleTrait, Output>(values.map(resultSelector))
    }

    /// Continues with the sequence that `transform` returns for the value.
    @preconcurrency public func flatMapMaybe<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> PrimitiveSequence<MaybeTrait, Output>
    ) -> PrimitiveSequence<MaybeTrait, Output> { observable.flatMap { try transform($0).observable }.sequence() }

    /// Continues with the sequence that `transform` returns for the value.
    @preconcurrency public func flatMapCompletable(
        _ transform: @escaping @Sendable (Element) throws -> PrimitiveSequence<CompletableTrait, Never>
    ) -> PrimitiveSequence<CompletableTrait, Never> { observable.flatMap { try transform($0).observable }.sequence() }

    /// Waits for the value and returns it.
    @available(*, deprecated, renamed: "value()")
    public var value: Element { get async throws { try await observable.value() } }

    /// Subscribes with one closure, which receives the value or the failure.
    @preconcurrency @discardableResult public func subscribe(_ observer: @escaping SingleObserver) -> Subscription {
        observable.plain.take(1).plain.subscribe(
            onNext: { observer(.success($0)) }, onError: { observer(.failure($0)) })
    }

    /// Subscribes with a closure for the value and one for the failure.
    @available(*, deprecated, message: "use subscribe(onNext:onError:) of the observable, or await its first()")
    @discardableResult @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onFailure: (@Sendable (any Error) -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil, fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        observable.first().handleEvents(onEnd: onDisposed)
            .subscribe(onNext: onSuccess, onError: onFailure, fileID: fileID, line: line)
    }

    /// Subscribes with a closure for the value and one for the failure; `onError` is the label of RxSwift 5.
    @available(*, deprecated, message: "use subscribe(onNext:onError:) of the observable, or await its first()")
    @discardableResult @preconcurrency
    public func subscribe(
        onSuccess: (@Sendable (Element) -> Void)? = nil, onError: @escaping @Sendable (any Error) -> Void
    ) -> Subscription { observable.first().subscribe(onNext: onSuccess, onError: onError) }

    /// Returns a `Single` that sends a value on a scheduler.
    @available(*, deprecated, message: "use just(_:) and subscribe(on:)")
    public static func just(_ element: Element, scheduler: any Scheduler) -> Self {
        Self(.just(element, scheduler: scheduler))
    }

    /// Calls closures for the events, before and after they are sent on.
    @available(*, deprecated, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    @preconcurrency public func `do`(
        onSuccess: (@Sendable (Element) throws -> Void)? = nil,
        afterSuccess: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil, onSubscribe: (@Sendable () -> Void)? = nil,
        onSubscribed: (@Sendable () -> Void)? = nil, onDispose: (@Sendable () -> Void)? = nil
    ) -> Self {
        observable.do(
            onNext: onSuccess, afterNext: afterSuccess, onError: onError, afterError: afterError,
            onSubscribe: onSubscribe, onSubscribed: onSubscribed, onDispose: onDispose
        ).sequence()
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
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        Self(.timer(after: dueTime, on: scheduler))
    }
}

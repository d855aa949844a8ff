public import MoyaStreams

extension PrimitiveSequence where Trait == CompletableTrait, Element == Never {
    /// Receives the event of a `Completable`.
    public typealias CompletableObserver = @Sendable (CompletableEvent) -> Void

    /// Creates a `Completable` whose event `subscribe` sends; the token that `subscribe` returns is cancelled at the
    /// end.
    @available(*, deprecated, message: "use Observable<Never> { emitter in … }")
    public static func create(
        subscribe: @escaping @Sendable (@escaping CompletableObserver) -> any Cancellable
    ) -> PrimitiveSequence {
        PrimitiveSequence(
            Observable { emitter in
                let token = subscribe { event in
                    switch event {
                    case .error(let error): emitter.fail(error)
                    case .completed: emitter.complete()
                    }
                }
                emitter.onTermination { token.cancel() }
            })
    }

    /// Returns a `Completable` that completes.
    public static func empty() -> PrimitiveSequence { PrimitiveSequence(.empty()) }

    /// Continues with a `Single` after the completion.
    public func andThen<Next: Sendable>(
        _ next: PrimitiveSequence<SingleTrait, Next>
    ) -> PrimitiveSequence<SingleTrait, Next> {
        PrimitiveSequence<SingleTrait, Next>(observable.followed(by: next.observable))
    }

    /// Continues with another `Completable` after the completion.
    public func andThen(_ next: PrimitiveSequence) -> PrimitiveSequence {
        PrimitiveSequence(observable.followed(by: next.observable))
    }

    /// Continues with a stream after the completion.
    public func andThen<Next: Sendable>(_ next: Observable<Next>) -> Observable<Next> { observable.followed(by: next) }

    /// Subscribes with a closure for the completion and one for the failure.
    ///
    /// Without `onError`, a failure is reported to `UnhandledError`.
    @discardableResult
    public func subscribe(
        onCompleted: (@Sendable () -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        observable.subscribe(onError: onError, onCompleted: onCompleted, fileID: fileID, line: line)
    }
}

extension Observable {
    /// Returns a stream of any value type that sends no value, and ends as this stream ends.
    func withoutElements<Other: Sendable>() -> Observable<Other> { compactMap { _ -> Other? in nil } }

    /// Returns a stream that ignores the values of this stream, and continues with another one after the completion.
    fileprivate func followed<Next: Sendable>(by next: Observable<Next>) -> Observable<Next> {
        Observable<Next>.concat([withoutElements(), next])
    }
}

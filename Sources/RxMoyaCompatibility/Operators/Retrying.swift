public import MoyaStreams

extension Subscribable {
    /// Subscribes to the source again when it fails, without a limit.
    @available(*, deprecated, message: "use retry(_:on:) with a RetryPolicy, which has delays and a limit")
    public func retry() -> Observable<Element> { retry(times: .max) }

    /// Subscribes to a failed source again, with at most `maxAttemptCount` subscriptions in all.
    @available(*, deprecated, message: "retry(3) of RxSwift is retry(times: 2), which counts retries")
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> { observable.attempting(maxAttemptCount) }

    /// Subscribes to a failed source again when the stream that `handler` returns sends a value.
    @available(*, deprecated, message: "the closure of retry(when:) receives each error and its number")
    @preconcurrency public func retry<Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Observable<Element> { observable.retrying(when: handler) }

    /// Subscribes to a failed source again when the stream that `handler` returns sends a value.
    @available(*, deprecated, message: "use retry(when:), whose closure receives each error and its number")
    @preconcurrency public func retryWhen<Notice: Subscribable>(
        _ handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Observable<Element> { observable.retrying(when: handler) }
}

extension Observable {
    /// Subscribes to a failed source again, with at most `count` subscriptions in all, including the first.
    func attempting(_ count: Int) -> Observable { count > 0 ? retry(times: count - 1) : .empty() }

    /// Subscribes to a failed source again when the stream of `handler` sends a value, like RxSwift's `retry(when:)`.
    func retrying<Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Observable {
        Observable.using(
            { try RetryHandlerConnection(handler) },
            stream: { [self] handlerStream in
                retry(when: { error, _ in handlerStream.next(after: error) })
                    .catch { $0 is RetryHandlerConnection.HandlerCompletedError ? .empty() : .error($0) }
            },
            close: { $0.cancel() })
    }
}

/// Connects a source with the handler of `retrying(when:)`, which decides when the source is subscribed to again.
///
/// The handler receives the errors of the source and returns a stream. There is one subscription to the returned stream
/// for all errors.
private struct RetryHandlerConnection: Sendable {
    /// Represents the completion of the handler's stream; `retrying(when:)` converts the error back to a completion.
    struct HandlerCompletedError: Error {}

    private let errors: Emitter<any Error>
    private let handlerStream: Signal<Void>
    private let connection: Subscription

    init(_ handler: @Sendable (Observable<any Error>) throws -> some Subscribable) throws {
        let (errors, emitter) = Signal<any Error>.pipe()
        let (handlerStream, connect) = try handler(errors.observable).observable.map { _ in }.multicast()
        self.errors = emitter
        self.handlerStream = handlerStream
        connection = connect()
    }

    /// Returns a stream that passes `error` to the handler, and then sends the values of the handler's stream.
    func next(after error: any Error) -> Observable<Void> {
        Observable { emitter in
            let subscription = handlerStream.plain.subscribe(
                onNext: { emitter.send(()) }, onError: { emitter.fail($0) },
                onCompleted: { emitter.fail(HandlerCompletedError()) })
            emitter.onTermination { subscription.cancel() }
            errors.send(error)
        }
    }

    func cancel() { connection.cancel() }
}

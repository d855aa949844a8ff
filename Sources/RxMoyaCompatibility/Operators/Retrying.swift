public import MoyaStreams

extension Subscribable {
    /// Subscribes to the source again when it fails, without a limit.
    @available(*, deprecated, message: "use retry(_:on:) with a RetryPolicy, which has delays and a limit")
    public func retry() -> Observable<Element> { retry(times: .max) }

    /// Subscribes to the source until the source completes, at most `maxAttemptCount` times in all, as RxSwift does.
    @available(*, deprecated, message: "retry(3) of RxSwift is retry(times: 2), which counts retries")
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> { observable.attempting(maxAttemptCount) }

    /// Subscribes to the source again when the stream that `handler` returns sends a value.
    ///
    /// `handler` receives the stream of the source's errors, and is called once for each subscription. If the stream
    /// that `handler` returns completes, the resulting stream completes, too.
    @available(*, deprecated, message: "the closure of retry(when:) receives each error and its number")
    public func retry<Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Observable<Element> { observable.retrying(when: handler) }

    /// Subscribes to the source again when the stream that `handler` returns sends a value.
    ///
    /// `handler` receives the stream of the source's errors.
    @available(*, deprecated, message: "use retry(when:), whose closure receives each error and its number")
    public func retryWhen<Notice: Subscribable>(
        _ handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Observable<Element> { observable.retrying(when: handler) }
}

extension Observable {
    /// Subscribes to the source until the source completes, at most `count` times; if `count` is 0, completes at once.
    func attempting(_ count: Int) -> Observable { count > 0 ? retry(times: count - 1) : .empty() }

    /// Subscribes to the source again when the stream that `handler` returns sends a value.
    ///
    /// `handler` receives the stream of the source's errors.
    func retrying<Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<any Error>) throws -> Notice
    ) -> Observable {
        Observable.using(
            { try RetryTrigger(handler) },
            stream: { [self] notices in
                retry(when: { error, _ in notices.next(after: error) })
                    .catch { $0 is RetryTrigger.HandlerCompletion ? .empty() : .error($0) }
            },
            close: { $0.cancel() })
    }
}

/// Passes errors to the handler of `retry(when:)`, and receives the events of the stream that the handler returns.
///
/// Each subscription has its own `RetryTrigger`, which subscribes to the handler's stream once, for all errors.
private struct RetryTrigger: Sendable {
    /// Stands for the completion of the handler's stream; `retrying(when:)` replaces this error by a completion.
    struct HandlerCompletion: Error {}

    private let errors: Emitter<any Error>
    private let notices: Signal<Void>
    private let connection: Subscription

    init(_ handler: @Sendable (Observable<any Error>) throws -> some Subscribable) throws {
        let (errors, emitter) = Signal<any Error>.pipe()
        let (notices, connect) = try handler(errors.observable).observable.map { _ in }.multicast()
        self.errors = emitter
        self.notices = notices
        connection = connect()
    }

    /// Returns a stream that passes `error` to the handler, and sends the values of the handler's stream.
    ///
    /// If the handler's stream completes, the returned stream fails with ``HandlerCompletion``.
    func next(after error: any Error) -> Observable<Void> {
        Observable { emitter in
            let subscription = notices.subscribe(
                onNext: { emitter.send(()) }, onError: { emitter.fail($0) },
                onCompleted: { emitter.fail(HandlerCompletion()) })
            emitter.onTermination { subscription.cancel() }
            errors.send(error)
        }
    }

    func cancel() { connection.cancel() }
}

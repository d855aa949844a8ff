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
    ///
    /// The handler receives the errors of the source; one of another type than `Failure` fails the stream. There is one
    /// subscription to its stream for all errors.
    func retrying<Failure, Notice: Subscribable>(
        when handler: @escaping @Sendable (Observable<Failure>) throws -> Notice
    ) -> Observable {
        .deferred { [self] in
            let (errors, emitter) = Signal<Failure>.pipe()
            let (notices, connect) = try handler(errors.observable).observable.multicast()
            let connection = connect()
            return plain.retry(when: { error, _ in
                guard let error = error as? Failure else { throw error }
                return Observable<Void>.withToken { next in
                    defer { emitter.send(error) }
                    return notices.plain.subscribe(
                        onNext: { _ in next.send(()) }, onError: { next.fail($0) },
                        onCompleted: { next.fail(NoticesEnded()) })
                }
            }).catch { $0 is NoticesEnded ? .empty() : .error($0) }.handleEvents(onEnd: { connection.cancel() })
        }
    }
}

private struct NoticesEnded: Error {}

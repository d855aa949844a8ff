extension Subscribable {
    /// Subscribes to the source again when it fails, at most `times` times; then fails with the last error.
    ///
    /// ```text
    /// source:            --a--#
    /// retry(times: 1):   --a----a--#
    /// ```
    /// The failed subscription is released before the next subscription starts. The stack does not grow with the number
    /// of retries. Until `retry` ends, it retains the source, even if the source is a ``Signal``.
    public func retry(times: Int) -> Observable<Element> {
        retry { _, number in number <= times ? Observable<Void>.just(()) : .empty() }
    }

    /// Subscribes to a failed source again after the delay of `policy`; fails if `policy` returns no delay.
    ///
    /// ```text
    /// source:                                   --#
    /// retry(.constant(3 ms, times: 1), on:):    -------#
    /// ```
    /// ```swift
    /// provider.request(.zen).retry(.exponential(initial: .seconds(1), times: 3), on: .background)
    /// ```
    /// - Parameters:
    ///   - policy: the number and the delays of the retries, and the errors that are retried.
    ///   - scheduler: runs the timers of the delays, and subscribes to the source again.
    public func retry(_ policy: RetryPolicy, on scheduler: any Scheduler) -> Observable<Element> {
        retry { error, number in
            policy.delay(beforeRetry: number, after: error).map { .timer(after: $0, on: scheduler) }
                ?? Observable<Int>.empty()
        }
    }

    /// After a failure, subscribes to the source again when the stream returned by `notice` sends a value.
    ///
    /// ```text
    /// source:                  a-#
    /// retry { notice }:        a---a---a---…      (notice: --x)
    /// ```
    /// The failed subscription is released before the stream of `notice` is subscribed. If that stream completes
    /// without a value, `retry` fails with the error of the source. If that stream fails, or `notice` throws, `retry`
    /// fails with the new error.
    ///
    /// ```swift
    /// request.retry { error, number in
    ///     number <= 3 && isOffline(error) ? becameReachable.map { _ in } : .empty()
    /// }
    /// ```
    /// - Parameter notice: called with the error and the number of the retry, from 1.
    public func retry<Notice: Sendable>(
        when notice: @escaping @Sendable (any Error, Int) throws -> Observable<Notice>
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            @Sendable func subscribe(_ number: Int) {
                let lifetime = Lifetime(in: downstream.lifetime) { error in
                    guard let error else { return downstream.lifetime.finish() }
                    let hasValue = SerialCell(false)
                    let wait = Lifetime(in: downstream.lifetime) { failure in
                        guard hasValue.value else { return downstream.lifetime.fail(failure ?? error) }
                        downstream.lifetime.trampoline { subscribe(number + 1) }
                    }
                    do {
                        try notice(error, number).take(1).run(Observer(wait) { _ in hasValue.value = true })
                    } catch { downstream.lifetime.fail(error) }
                }
                source.run(Observer(lifetime, next: downstream.next))
            }
            downstream.lifetime.trampoline { subscribe(1) }
        })
    }

    /// `retry(when:)` for a signal, and for a stream of another type.
    @_disfavoredOverload
    public func retry<Notice: Sendable>(
        when notice: @escaping @Sendable (any Error, Int) throws -> some Subscribable<Notice>
    ) -> Observable<Element> { retry { error, number in try notice(error, number).observable } }
}

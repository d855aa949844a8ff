public import MoyaScheduling

extension Subscribable {
    /// Subscribes the source again when it fails, up to `times` more times; then the failure goes on.
    ///
    /// ```text
    /// source:            --a--#
    /// retry(times: 1):   --a----a--#
    /// ```
    /// The failed subscription is released before the next one starts. The stack does not grow with the number of
    /// retries. A running retry keeps its source alive, also a hot one.
    public func retry(times: Int) -> Observable<Element> {
        retrying { _, number in number <= times ? .now : .never }.named()
    }

    /// Subscribes the source again when it fails, after the delay that the policy gives; then the failure goes on.
    ///
    /// ```text
    /// source:                                   --#
    /// retry(.constant(3 ms, times: 1), on:):    -------#
    /// ```
    /// ```swift
    /// provider.request(.zen).retry(.exponential(initial: .seconds(1), times: 3), on: .background)
    /// ```
    /// - Parameters:
    ///   - policy: how often, after how long, and for which errors.
    ///   - scheduler: measures the delays; the source is subscribed again there.
    public func retry(_ policy: RetryPolicy, on scheduler: any Scheduler) -> Observable<Element> {
        retrying { error, number in
            policy.delay(beforeRetry: number, after: error).map { .after($0, scheduler) } ?? .never
        }.named()
    }

    /// Subscribes the source again when it fails and the stream that `notice` gives for the error sends something.
    ///
    /// ```text
    /// source:                  --#
    /// retry { notice }:        ------#--…      (notice: ----x)
    /// ```
    /// The failed subscription is released before the notice is subscribed. When the notice completes without a value, the
    /// failure goes on; when it fails, or `notice` throws, the stream fails with that.
    ///
    /// ```swift
    /// request.retry { error, number in
    ///     number <= 3 && isOffline(error) ? becameReachable.map { _ in } : .empty()
    /// }
    /// ```
    /// - Parameter notice: given the error and the number of the retry, from 1.
    public func retry<Notice: Sendable>(
        when notice: @escaping @Sendable (any Error, Int) throws -> Observable<Notice>
    ) -> Observable<Element> {
        retrying { error, number in .when(try notice(error, number).take(1).map { _ in }) }.named()
    }

    /// - Parameter decide: given the error and the number of the retry, from 1.
    private func retrying(_ decide: @escaping @Sendable (any Error, Int) throws -> RetryAction) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let resubscriber = Resubscriber(downstream.lifetime) { number, resubscriber in
                let lifetime = Lifetime(in: downstream.lifetime) { error in
                    guard let error else { return downstream.lifetime.finish() }
                    do {
                        switch try decide(error, number) {
                        case .never: downstream.lifetime.fail(error)
                        case .now: resubscriber.goOn()
                        case .after(let delay, let scheduler):
                            resubscriber.follow(scheduler.schedule(after: delay) { resubscriber.goOn() }, after: number)
                        case .when(let notice): resubscriber.goOn(when: notice, in: downstream.lifetime, after: error)
                        }
                    } catch { downstream.lifetime.fail(error) }
                }
                source.run(Observer(lifetime, next: downstream.next))
            }
            resubscriber.goOn()
        })
    }
}

/// Whether and when to subscribe again.
private enum RetryAction {
    case never
    case now
    case after(Duration, any Scheduler)
    case when(Observable<Void>)
}

extension Resubscriber {
    /// The next round when `notice` has sent something; it sends one value at most.
    fileprivate func goOn(when notice: Observable<Void>, in parent: Lifetime, after error: any Error) {
        let isObserved = LockedBox(false)
        let lifetime = Lifetime(in: parent) { failure in
            if isObserved.value { self.goOn() } else { parent.fail(failure ?? error) }
        }
        notice.run(Observer(lifetime) { isObserved.value = true })
    }
}

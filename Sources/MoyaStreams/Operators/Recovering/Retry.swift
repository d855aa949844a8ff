public import Moya

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
        retrying { _, number, again in
            guard number <= times else { return false }
            again(nil)
            return true
        }
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
        retrying { error, number, again in
            guard let delay = policy.delay(beforeRetry: number, after: error) else { return false }
            again(Delay(scheduler: scheduler, duration: delay))
            return true
        }
    }

    /// - Parameter decide: given the error and the number of the retry, says whether there is one, and if so calls
    ///   `again` once, at once or with a delay.
    private func retrying(
        _ decide: @escaping @Sendable (any Error, Int, (Delay?) -> Void) -> Bool
    ) -> Observable<Element> {
        Observable(run: { [run = observable.run] downstream in
            let rounds = Rounds(downstream.lifetime) { number, rounds in
                let lifetime = Lifetime(in: downstream.lifetime) { error in
                    guard let error else { return downstream.lifetime.finish() }
                    let goesOn = decide(error, number) { delay in
                        guard let delay else { return rounds.goOn() }
                        let timer = delay.scheduler.schedule(after: delay.duration) { rounds.goOn() }
                        rounds.follow(timer)
                    }
                    if !goesOn { downstream.lifetime.fail(error) }
                }
                run(Observer(lifetime, next: downstream.next))
            }
            rounds.goOn()
        })
    }
}

private struct Delay {
    let scheduler: any Scheduler
    let duration: Duration
}

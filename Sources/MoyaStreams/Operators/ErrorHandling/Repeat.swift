extension Subscribable {
    /// Subscribes to the source again each time it completes, for `times` runs of the source in total.
    ///
    /// ```text
    /// source:                a-b|
    /// repeat(times: 2):      a-ba-b|
    /// ```
    /// By default, repeats until the subscription is cancelled or the source fails. `repeat(times: 0)` completes
    /// without subscribing. The stack does not grow with the number of repetitions. Until `repeat` ends, it
    /// retains the source, even if the source is a ``Signal``.
    public func `repeat`(times: Int = .max) -> Observable<Element> {
        guard times > 0 else { return .empty() }
        return Observable(run: { [source = observable] downstream in
            @Sendable func subscribe(_ number: Int) {
                let lifetime = Lifetime(in: downstream.lifetime) { error in
                    if let error { return downstream.lifetime.fail(error) }
                    guard number < times else { return downstream.lifetime.finish() }
                    downstream.lifetime.trampoline { subscribe(number + 1) }
                }
                source.run(Observer(lifetime, next: downstream.next))
            }
            downstream.lifetime.trampoline { subscribe(1) }
        })
    }
}

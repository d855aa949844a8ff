extension Subscribable {
    /// Sends values until another stream sends a value, then completes.
    ///
    /// ```text
    /// source:                a--b--c--d|
    /// trigger:               ----x
    /// take(until: trigger):  a--b|
    /// ```
    /// The trigger is subscribed first. Its completion is ignored; its failure fails the stream.
    public func take<Trigger: Sendable>(until trigger: some Subscribable<Trigger>) -> Observable<Element> {
        combine(with: trigger.observable, ()) { _, event, observer in
            switch event {
            case .other: return observer.lifetime.finish()
            case .next(let element): observer.send(element)
            case .end(let error): return observer.lifetime.end(error)
            case .otherEnd(let error): if let error { return observer.lifetime.end(error) }
            }
        }
    }

    /// Sends the values of a duration after the subscription, and completes on the scheduler.
    ///
    /// ```text
    /// source:            -a-b-c-d|
    /// take(for: 4 ms):   -a-b(|)
    /// ```
    /// A source that ends earlier ends the stream.
    public func take(for duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        take(until: Observable<Int>.timer(after: duration, on: scheduler))
    }
}

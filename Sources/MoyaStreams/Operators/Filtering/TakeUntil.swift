public import MoyaScheduling

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
            case .other: return .finish(nil)
            case .next(let element): observer.send(element)
            case .end(let error): return .finish(error)
            case .otherEnd(let error): if let error { return .finish(error) }
            }
            return .continue
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

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
        Observable(run: { [source = observable, trigger = trigger.observable] downstream in
            let coordinator = Coordinator<Void, Event<Element>, Element>((), downstream) { _, event, observer, _ in
                switch event {
                case .next(let element):
                    observer.send(element)
                    return .continue
                case .error(let error): return .finish(error)
                case .completed: return .finish(nil)
                }
            }
            let triggerLifetime = Lifetime(in: downstream.lifetime) { error in
                if let error { coordinator.submit(.error(error)) }
            }
            trigger.run(Observer(triggerLifetime) { _ in coordinator.submit(.completed) })
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit($0.map { .error($0) } ?? .completed) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0)) })
        })
    }
}

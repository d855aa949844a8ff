extension Subscribable {
    /// Drops the first `count` values.
    ///
    /// ```text
    /// source:     a--b--c|
    /// skip(2):    ------c|
    /// ```
    @inlinable
    public func skip(_ count: Int) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let next = downstream.next
            let counter = RemainingElementCount(max(count, 0))
            source.run(Observer(downstream.lifetime) { element in if counter.decrement() < 0 { next(element) } })
        })
    }

    /// Drops values while a condition is true; sends the first value for which it is false, and all later values.
    ///
    /// ```text
    /// source:                    1--2--3--1|
    /// skip(while: { $0 < 3 }):   ------3--1|
    /// ```
    /// Fails with an error that the condition throws.
    public func skip(while condition: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = downstream.lifetime
            let isSkipping = LockedBox(true)
            source.run(
                Observer(lifetime) { element in
                    do {
                        if isSkipping.value {
                            if try condition(element) { return }
                            isSkipping.value = false
                        }
                        downstream.next(element)
                    } catch { lifetime.fail(error) }
                })
        })
    }

    /// Drops values until another stream sends a value.
    ///
    /// ```text
    /// source:                a--b--c|
    /// trigger:               ----x
    /// skip(until: trigger):  ------c|
    /// ```
    /// The trigger is subscribed first, and cancelled after its first value. Completion of the trigger is ignored; a
    /// failure of the trigger fails the stream.
    public func skip<Trigger: Sendable>(until trigger: some Subscribable<Trigger>) -> Observable<Element> {
        Observable(run: { [source = observable, trigger = trigger.observable] downstream in
            let coordinator = Coordinator<Bool, SkipUntilInputEvent<Element>, Element>(false, downstream) {
                isOpen, event, observer, _ in
                switch event {
                case .open: isOpen = true
                case .next(let element): if isOpen { observer.send(element) }
                case .end(let error): return .finish(error)
                }
                return .continue
            }
            let triggerLifetime = Lifetime(in: downstream.lifetime) {
                if let error = $0 { coordinator.submit(.end(error)) }
            }
            trigger.take(1).run(Observer(triggerLifetime) { _ in coordinator.submit(.open) })
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0)) })
        })
    }
}

/// An event for the coordinator: `open` is the first value of the trigger, and `end` is the end of the source or a
/// failure of the trigger.
private enum SkipUntilInputEvent<Element: Sendable>: Sendable {
    case next(Element)
    case open
    case end((any Error)?)
}

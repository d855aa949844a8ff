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
            let remaining = SerialCell(count)
            source.run(
                Observer(downstream.lifetime) { element in
                    let left = remaining.value
                    if left > 0 { remaining.value = left - 1 } else { next(element) }
                })
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
        stateful(true) { isSkipping, element, downstream in
            if isSkipping.value {
                if try condition(element) { return }
                isSkipping.value = false
            }
            downstream.next(element)
        }
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
        combine(with: trigger.observable.take(1), false) { isOpen, event, observer in
            switch event {
            case .other: isOpen = true
            case .next(let element): if isOpen { observer.send(element) }
            case .end(let error): return observer.lifetime.end(error)
            case .otherEnd(let error): if let error { return observer.lifetime.end(error) }
            }
        }
    }
}

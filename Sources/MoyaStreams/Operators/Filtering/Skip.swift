extension Subscribable {
    /// All but the first `count` values.
    ///
    /// ```text
    /// source:     a--b--c|
    /// skip(2):    ------c|
    /// ```
    @inlinable
    public func skip(_ count: Int) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let next = downstream.next
            let left = Counter(max(count, 0))
            source.run(Observer(downstream.lifetime) { element in if left.next() < 0 { next(element) } })
        })
    }

    /// The values from the first one on for which a condition does not hold.
    ///
    /// ```text
    /// source:                    1--2--3--1|
    /// skip(while: { $0 < 3 }):   ------3--1|
    /// ```
    /// An error that the condition throws becomes the stream's.
    public func skip(while condition: @escaping @Sendable (Element) throws -> Bool) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = downstream.lifetime
            let skips = LockedBox(true)
            source.run(
                Observer(lifetime) { element in
                    do {
                        if skips.value {
                            if try condition(element) { return }
                            skips.value = false
                        }
                        downstream.next(element)
                    } catch { lifetime.fail(error) }
                })
        })
    }

    /// The values from the moment on when another stream sends something.
    ///
    /// ```text
    /// source:                a--b--c|
    /// trigger:               ----x
    /// skip(until: trigger):  ------c|
    /// ```
    /// The trigger is subscribed first, and cancelled when it has sent something. Its completion alone changes nothing; its
    /// failure becomes the stream's.
    public func skip<Trigger: Sendable>(until trigger: some Subscribable<Trigger>) -> Observable<Element> {
        Observable(run: { [source = observable, trigger = trigger.observable] downstream in
            let coordinator = Coordinator<Bool, SkipUntilInput<Element>, Element>(false, downstream) {
                isOpen, input, observer, _ in
                switch input {
                case .open: isOpen = true
                case .next(let element): if isOpen { observer.send(element) }
                case .end(let error): return .finish(error)
                }
                return .continue
            }
            let watching = Lifetime(in: downstream.lifetime) { if let error = $0 { coordinator.submit(.end(error)) } }
            trigger.take(1).run(Observer(watching) { _ in coordinator.submit(.open) })
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0)) })
        })
    }
}

private enum SkipUntilInput<Element: Sendable>: Sendable {
    case next(Element)
    case open
    case end((any Error)?)
}

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
            let left = Countdown(max(count, 0))
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
            let skips = Slot(true)
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
            let junction = Junction<Bool, Gated<Element>, Element>(false, downstream) { isOpen, input, observer, _ in
                switch input {
                case .open: isOpen = true
                case .next(let element): if isOpen { observer.send(element) }
                case .end(let error): return .ends(error)
                }
                return .goesOn
            }
            let watching = Lifetime(in: downstream.lifetime) { if let error = $0 { junction.pass(.end(error)) } }
            trigger.take(1).run(Observer(watching) { _ in junction.pass(.open) })
            let lifetime = Lifetime(in: downstream.lifetime) { junction.pass(.end($0)) }
            source.run(Observer(lifetime) { junction.pass(.next($0)) })
        })
    }
}

private enum Gated<Element: Sendable>: Sendable {
    case next(Element)
    case open
    case end((any Error)?)
}

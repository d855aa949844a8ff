extension Subscribable {
    /// All but the first `count` values.
    ///
    /// ```text
    /// source:     a--b--c|
    /// skip(2):    ------c|
    /// ```
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
}

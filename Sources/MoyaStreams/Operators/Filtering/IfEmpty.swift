extension Subscribable {
    /// Sends a default value if the source completes without a value.
    ///
    /// ```text
    /// source:                --|
    /// ifEmpty(default: a):   --(a|)
    /// ```
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: .just(element))
    }

    /// Continues with another stream if the source completes without a value.
    ///
    /// ```text
    /// source:                 --|
    /// ifEmpty(switchTo: o):   ----a|      (o: --a|)
    /// ```
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let isEmpty = SerialCell(true)
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                guard error == nil, isEmpty.value else { return downstream.lifetime.end(error) }
                downstream.lifetime.trampoline { other.run(downstream) }
            }
            source.run(
                Observer(lifetime) { element in
                    isEmpty.value = false
                    downstream.next(element)
                })
        })
    }
}

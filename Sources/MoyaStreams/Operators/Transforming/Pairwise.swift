extension Subscribable {
    /// Sends each value together with the previous value, starting with the second value.
    ///
    /// ```text
    /// source:       a--b--c|
    /// pairwise():   ---{ab}--{bc}|
    /// ```
    /// Buffers one value.
    ///
    /// ```swift
    /// position.pairwise().subscribeNext { previous, current in move(from: previous, to: current) }
    /// ```
    public func pairwise() -> Observable<(previous: Element, current: Element)> {
        Observable(run: { [source = observable] downstream in
            let next = downstream.next
            let latest = SerialCell<Element?>(nil)
            source.run(
                Observer(downstream.lifetime) { element in
                    if let previous = latest.exchange(element) { next((previous, element)) }
                })
        })
    }
}

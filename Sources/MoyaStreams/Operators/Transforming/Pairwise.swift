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
        stateful(Element?.none) { latest, element, downstream in
            if let previous = latest.exchange(element) { downstream.next((previous, element)) }
        }
    }
}

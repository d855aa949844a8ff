extension Subscribable {
    /// Sends each value with its index, which starts at 0 for each subscription.
    ///
    /// ```text
    /// source:         a--b--c|
    /// enumerated():   {0a}--{1b}--{2c}|
    /// ```
    /// ```swift
    /// lines.enumerated().subscribeNext { index, line in print(index + 1, line) }
    /// ```
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        stateful(0) { count, element, downstream in
            downstream.next((count.exchange(count.value + 1), element))
        }
    }
}

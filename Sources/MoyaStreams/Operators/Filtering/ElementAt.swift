extension Subscribable {
    /// The value at an index, then completion; nothing but completion if the source ends before.
    ///
    /// ```text
    /// source:           a--b--c|
    /// element(at: 1):   ---(b|)
    /// ```
    public func element(at index: Int) -> Observable<Element> {
        index < 0 ? .empty() : skip(index).take(1).named(hiding: 2)
    }
}

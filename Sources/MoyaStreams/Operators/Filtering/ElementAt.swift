extension Subscribable {
    /// Sends the value at an index and completes; completes without a value if the source completes first.
    ///
    /// ```text
    /// source:           a--b--c|
    /// element(at: 1):   ---(b|)
    /// ```
    public func element(at index: Int) -> Observable<Element> {
        index < 0 ? .empty() : skip(index).take(1)
    }
}

extension Subscribable where Element: Subscribable {
    /// Sends the values of the latest stream that the source has sent; a new stream replaces the previous one.
    ///
    /// ```text
    /// source:           a---b-----|      (a: -1-2-3, b: -x|)
    /// switchLatest():   -1-2-x----|
    /// ```
    /// The previous stream is cancelled before the new one is subscribed. Completes when the source and the last stream
    /// have completed; fails with the first failure.
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0.observable }
    }
}

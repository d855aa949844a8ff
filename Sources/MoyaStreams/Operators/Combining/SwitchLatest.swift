extension Subscribable where Element: Subscribable {
    /// The values of the latest of the streams that the source sends: a new one replaces the one before.
    ///
    /// ```text
    /// source:           a---b-----|      (a: -1-2-3, b: -x|)
    /// switchLatest():   -1-2-x----|
    /// ```
    /// The previous stream is cancelled before the new one is subscribed. Completes when the source and the last stream
    /// have; fails with the first failure.
    public func switchLatest() -> Observable<Element.Element> {
        flatMapLatest { $0.observable }.named()
    }
}

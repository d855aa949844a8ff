extension Subscribable {
    /// The values of the streams that `transform` makes of each value, one stream after the other.
    ///
    /// ```text
    /// source:                   a--b------|
    /// concatMap { of 1-2-3 }:   1-2-31-2-3|
    /// ```
    /// The next inner stream is made and subscribed when the one before has completed. Buffers the values that wait,
    /// without limit.
    public func concatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        flatMap(maxConcurrent: 1, transform).named()
    }
}

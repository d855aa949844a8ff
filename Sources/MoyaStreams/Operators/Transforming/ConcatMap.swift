extension Subscribable {
    /// Transforms each value to a stream and sends the values of these streams, one stream after the other.
    ///
    /// ```text
    /// source:                a--b------|
    /// concatMap { 1-2-3| }:  1-2-31-2-3|
    /// ```
    /// `transform` is called for the next value when the previous stream has completed. Buffers values without limit.
    public func concatMap<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        flatMap(maxConcurrent: 1, transform)
    }

    /// `concatMap` with a closure that returns a signal, or another type of stream.
    @_disfavoredOverload
    public func concatMap<Inner: Subscribable>(
        _ transform: @escaping @Sendable (Element) throws -> Inner
    ) -> Observable<Inner.Element> {
        concatMap { try transform($0).observable }
    }
}

extension Subscribable {
    /// Transforms each value to a stream and sends the values of these streams as they arrive.
    ///
    /// ```text
    /// source:                              --a-----b--|
    /// flatMap { of($0, $0.uppercased()) }: --(aA)-----(bB)--|
    /// ```
    /// Completes when the source and all inner streams have completed; fails with the first failure, or with an error
    /// that `transform` throws. While `maxConcurrent` inner streams run, further values are buffered, without limit.
    /// `transform` is called for a buffered value when an inner stream has completed.
    ///
    /// - Parameters:
    ///   - maxConcurrent: the maximum number of concurrent inner streams; a number below 1 counts as 1.
    ///   - transform: returns the stream for a value.
    @inlinable
    public func flatMap<Output: Sendable>(
        maxConcurrent: Int = .max,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            let coordinator = FlatMapCoordinator(downstream, limit: Swift.max(maxConcurrent, 1), transform)
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.endOuter($0) }
            source.run(Observer(lifetime) { coordinator.receive($0) })
        })
    }

    /// `flatMap` with a closure that returns a signal, or another type of stream.
    @_disfavoredOverload
    public func flatMap<Inner: Subscribable>(
        maxConcurrent: Int = .max, _ transform: @escaping @Sendable (Element) throws -> Inner
    ) -> Observable<Inner.Element> {
        flatMap(maxConcurrent: maxConcurrent) { try transform($0).observable }
    }
}

extension Subscribable {
    /// Transforms a value to a stream and drops the values that arrive while that stream runs.
    ///
    /// ```text
    /// source:                                a-b----c|
    /// flatMapFirst { of a and c: -1-2-3| }:  -1-2-3--1-2-3|
    /// ```
    /// Completes when the source and the last inner stream have completed; fails with the first failure, or with an
    /// error that `transform` throws.
    ///
    /// ```swift
    /// tapped.flatMapFirst { provider.request(.signIn) }    // drops taps during the request
    /// ```
    public func flatMapFirst<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            let coordinator = FlatMapCoordinator(downstream, limit: 1, isQueueing: false, transform)
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.endOuter($0) }
            source.run(Observer(lifetime) { coordinator.receive($0) })
        })
    }

    /// `flatMapFirst` with a closure that returns a signal, or another type of stream.
    @_disfavoredOverload
    public func flatMapFirst<Inner: Subscribable>(
        _ transform: @escaping @Sendable (Element) throws -> Inner
    ) -> Observable<Inner.Element> {
        flatMapFirst { try transform($0).observable }
    }
}

extension Subscribable {
    /// The values of the stream that `transform` makes of a value; values that come while it runs are dropped.
    ///
    /// ```text
    /// source:                          a-b---c|
    /// flatMapFirst { of a: -1-2-3| }:  -1-2-3-1-2-3|
    /// ```
    /// Completes when the source and the last inner stream have; fails with the first failure among them, or when
    /// `transform` throws.
    ///
    /// ```swift
    /// tapped.flatMapFirst { provider.request(.signIn) }    // the second tap is too early
    /// ```
    public func flatMapFirst<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            let coordinator = FlatMapCoordinator(downstream, limit: 1, queues: false, transform)
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.outerEnded($0) }
            source.run(Observer(lifetime) { coordinator.arrived($0) })
        })
    }
}

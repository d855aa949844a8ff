import MoyaScheduling

extension Subscribable {
    /// Each value, then the values of the stream that `transform` makes of it, and so on with each of those.
    ///
    /// ```text
    /// source:                                     1|
    /// expand { $0 < 4 ? just($0 * 2) : empty }:   (124|)
    /// ```
    /// Completes when nothing is left to expand; fails with the first failure, or when `transform` throws. One value after
    /// the other is expanded, in the order in which they came; buffers those that wait, without limit. The stack does not
    /// grow.
    ///
    /// ```swift
    /// provider.request(.page(1)).map(Page.self).expand { page in
    ///     page.next.map { provider.request(.page($0)).map(Page.self) } ?? .empty()
    /// }
    /// ```
    public func expand(
        _ transform: @escaping @Sendable (Element) throws -> Observable<Element>
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            // Kept by the source and by the stream that runs.
            let own = LockedBox(Weak<FlatMapCoordinator<Element, Element>>())
            let coordinator = FlatMapCoordinator<Element, Element>(downstream, limit: 1) { element in
                let inner = try transform(element)
                return Observable(run: { observer in
                    inner.run(
                        Observer(observer.lifetime) { element in
                            observer.next(element)
                            own.value.object?.arrived(element)
                        })
                })
            }
            own.value = Weak(coordinator)
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.outerEnded($0) }
            source.run(
                Observer(lifetime) { element in
                    coordinator.send(element)
                    coordinator.arrived(element)
                })
        })
    }
}

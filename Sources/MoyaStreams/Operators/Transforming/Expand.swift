extension Subscribable {
    /// Sends each value and, recursively, the values of the stream that `transform` returns for the value.
    ///
    /// ```text
    /// source:                                     (1|)
    /// expand { $0 < 4 ? just($0 * 2) : empty }:   (124|)
    /// ```
    /// Completes when all values are expanded; fails with the first failure, or with an error that `transform` throws.
    /// Values are expanded one after the other, in the order of their arrival, and buffered without limit. The stack
    /// does not grow with the number of values.
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
            // Weak, to avoid a retain cycle: the coordinator retains the closure that uses `own`.
            let own = Locked(Weak<FlatMapCoordinator<Element, Element>>())
            let coordinator = FlatMapCoordinator<Element, Element>(downstream, limit: 1) { element in
                let inner = try transform(element)
                return Observable(run: { observer in
                    inner.run(
                        Observer(observer.lifetime) { element in
                            observer.next(element)
                            own.withLock { $0 }.object?.receive(element)
                        })
                })
            }
            own.withLock { $0 = Weak(coordinator) }
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.endOuter($0) }
            source.run(
                Observer(lifetime) { element in
                    coordinator.send(element)
                    coordinator.receive(element)
                })
        })
    }
}

extension Subscribable {
    /// Transforms the error of a failure.
    ///
    /// ```text
    /// source:         a--#
    /// mapError(f):    a--#      (f of the error)
    /// ```
    public func mapError(_ transform: @escaping @Sendable (any Error) -> any Error) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = Lifetime(in: downstream.lifetime) { downstream.lifetime.end($0.map(transform)) }
            source.run(Observer(lifetime, next: downstream.next))
        })
    }

    /// When the source fails, sends `element` and completes.
    ///
    /// ```text
    /// source:                       a--#
    /// catchAndReturn(b):            a--(b|)
    /// ```
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        self.catch { _ in .just(element) }
    }
}

extension Subscribable {
    /// The same events, with another error.
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

    /// The source; when it fails, one value and completion.
    ///
    /// ```text
    /// source:                       a--#
    /// catchAndReturn(b):            a--(b|)
    /// ```
    public func catchAndReturn(_ element: Element) -> Observable<Element> {
        self.catch { _ in .just(element) }.named()
    }
}

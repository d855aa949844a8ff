extension Subscribable {
    /// Each value, transformed.
    ///
    /// An error that `transform` throws becomes the stream's.
    ///
    /// ```text
    /// source:    --a--b--c|
    /// map(f):    --A--B--C|
    /// ```
    @inlinable
    public func map<Output: Sendable, Failure: Error>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output
    ) -> Observable<Output> {
        Observable(run: { [run = observable.runner] downstream in
            let next = downstream.next
            let lifetime = downstream.lifetime
            run(
                Observer(lifetime) { element in
                    do throws(Failure) { next(try transform(element)) } catch { lifetime.fail(error) }
                })
        })
    }
}

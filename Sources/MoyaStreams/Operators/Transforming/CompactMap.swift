extension Subscribable {
    /// Each value that `transform` gives a result for.
    ///
    /// An error that it throws becomes the stream's.
    ///
    /// ```text
    /// source:                 --1--x--3|
    /// compactMap { Int($0) }: --1-----3|
    /// ```
    @inlinable
    public func compactMap<Output: Sendable, Failure: Error>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output?
    ) -> Observable<Output> {
        Observable(run: { [run = observable.runner] downstream in
            let next = downstream.next
            let lifetime = downstream.lifetime
            run(
                Observer(lifetime) { element in
                    do throws(Failure) {
                        if let output = try transform(element) { next(output) }
                    } catch { lifetime.fail(error) }
                })
        })
    }
}

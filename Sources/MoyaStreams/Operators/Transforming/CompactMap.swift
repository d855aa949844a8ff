extension Subscribable {
    /// Transforms each value, and drops the values for which `transform` returns `nil`.
    ///
    /// Fails with an error that `transform` throws.
    ///
    /// ```text
    /// source:                 --1--x--3|
    /// compactMap { Int($0) }: --1-----3|
    /// ```
    @inlinable
    public func compactMap<Output: Sendable, Failure: Error>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output?
    ) -> Observable<Output> {
        Observable(run: compactMapping(observable.subscribeFunction, transform))
    }
}

@inlinable
func compactMapping<Input: Sendable, Output: Sendable, Failure: Error>(
    _ run: @escaping @Sendable (Observer<Input>) -> Void,
    _ transform: @escaping @Sendable (Input) throws(Failure) -> Output?
) -> @Sendable (Observer<Output>) -> Void {
    { downstream in
        let next = downstream.next
        let lifetime = downstream.lifetime
        run(
            Observer(lifetime) { input in
                do throws(Failure) {
                    if let output = try transform(input) { next(output) }
                } catch { lifetime.fail(thrown: error) }
            })
    }
}

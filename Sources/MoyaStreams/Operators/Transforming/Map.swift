extension Subscribable {
    /// Transforms each value.
    ///
    /// Fails with an error that `transform` throws.
    ///
    /// ```text
    /// source:    --a--b--c|
    /// map(f):    --A--B--C|
    /// ```
    @inlinable
    public func map<Output: Sendable, Failure: Error>(
        _ transform: @escaping @Sendable (Element) throws(Failure) -> Output
    ) -> Observable<Output> {
        Observable(run: mapping(observable.subscribeFunction, transform))
    }
}

// A free function, because a method of `Subscribable` would be specialized again for each type of source. Sharing one
// with `filter` and `compactMap` would add a call for each value.
@inlinable
func mapping<Input: Sendable, Output: Sendable, Failure: Error>(
    _ run: @escaping @Sendable (Observer<Input>) -> Void,
    _ transform: @escaping @Sendable (Input) throws(Failure) -> Output
) -> @Sendable (Observer<Output>) -> Void {
    { downstream in
        let next = downstream.next
        let lifetime = downstream.lifetime
        run(
            Observer(lifetime) { input in
                do throws(Failure) { next(try transform(input)) } catch { lifetime.fail(thrown: error) }
            })
    }
}

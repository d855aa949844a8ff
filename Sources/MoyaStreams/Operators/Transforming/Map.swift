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
        Observable(run: mapping(observable.subscribeFunction, transform))
    }
}

/// What `map` does when it is subscribed.
///
/// It stands outside of the protocol, as the others of its kind do: so it is compiled once, and not for each kind of stream
/// that the operator is called on, and what runs for each value is not reached by detours. To share a frame with the others
/// would be one more call for each value.
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

extension Subscribable {
    /// Sends the values for which `isIncluded` is true.
    ///
    /// Fails with an error that `isIncluded` throws.
    ///
    /// ```text
    /// source:                --1--2--3--4|
    /// filter { $0 > 2 }:     --------3--4|
    /// ```
    @inlinable
    public func filter<Failure: Error>(
        _ isIncluded: @escaping @Sendable (Element) throws(Failure) -> Bool
    ) -> Observable<Element> {
        Observable(run: filtering(observable.subscribeFunction, isIncluded))
    }
}

@inlinable
func filtering<Element: Sendable, Failure: Error>(
    _ run: @escaping @Sendable (Observer<Element>) -> Void,
    _ isIncluded: @escaping @Sendable (Element) throws(Failure) -> Bool
) -> @Sendable (Observer<Element>) -> Void {
    { downstream in
        let next = downstream.next
        let lifetime = downstream.lifetime
        run(
            Observer(lifetime) { element in
                do throws(Failure) {
                    if try isIncluded(element) { next(element) }
                } catch { lifetime.fail(thrown: error) }
            })
    }
}

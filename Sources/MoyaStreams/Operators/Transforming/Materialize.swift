extension Subscribable {
    /// Sends each event as a value, including the terminal event, then completes.
    ///
    /// ```text
    /// source:           a--#
    /// materialize():    {next(a)}--({error(e)}|)
    /// ```
    public func materialize() -> Observable<Event<Element>> {
        Observable(run: { [source = observable] downstream in
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                downstream.send(error.map { .error($0) } ?? .completed)
                downstream.lifetime.finish()
            }
            source.run(Observer(lifetime) { downstream.next(.next($0)) })
        })
    }

    /// Converts `Event` values to the events of a stream; the inverse of ``materialize()``.
    public func dematerialize<Value: Sendable>() -> Observable<Value> where Element == Event<Value> {
        Observable(run: { [source = observable] downstream in
            source.run(Observer(downstream.lifetime) { downstream.send(event: $0) })
        })
    }

    /// Sends each value as a `success` and an error as a final `failure`, then completes.
    ///
    /// ```text
    /// source:         a--#
    /// asResults():    {success(a)}--({failure(e)}|)
    /// ```
    public func asResults() -> Observable<Result<Element, any Error>> {
        map { Result<Element, any Error>.success($0) }.catch { .just(.failure($0)) }
    }
}

extension Subscribable {
    /// Transforms each value to a stream and sends the values of the latest of these streams.
    ///
    /// ```text
    /// source:                     a---b-----|
    /// flatMapLatest { -1-2-3| }:  -1-2-1-2-3|
    /// ```
    /// The previous inner stream is cancelled before the new one is subscribed. Completes when the source and the last
    /// inner stream have completed; fails with the first failure, or with an error that `transform` throws.
    ///
    /// ```swift
    /// typed.flatMapLatest { provider.request(.search($0)).mapJSON() }
    /// ```
    public func flatMapLatest<Output: Sendable>(
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            // The inner stream is that with this ID; `nil` if none runs.
            typealias State = (inner: Int?, isOuterOver: Bool)
            let coordinator = Coordinator<State, FlatMapLatestEvent<Output>, Output>((nil, false), downstream) {
                state, event, observer, _ in
                switch event {
                case .begin(let inner): state.inner = inner
                case .next(let inner, let output): if state.inner == inner { observer.send(output) }
                case .innerEnded(let inner, let error):
                    guard state.inner == inner else { break }
                    if let error { return observer.lifetime.end(error) }
                    state.inner = nil
                case .outerEnded(let error):
                    if let error { return observer.lifetime.end(error) }
                    state.isOuterOver = true
                }
                if state.isOuterOver, state.inner == nil { observer.lifetime.finish() }
            }
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.outerEnded($0)) }
            let current = SerialCell<(id: Int, lifetime: Lifetime?)>((0, nil))
            // The ID of the inner stream that has failed: its failure may wait behind the value that is being
            // delivered. That of a former inner stream, which has failed while it was being cancelled, is ignored.
            let failed = Locked<Int?>(nil)
            source.run(
                Observer(lifetime) { element in
                    guard failed.withLock({ $0 }) != current.value.id else { return }
                    let id = current.value.id + 1
                    current.exchange((id, nil)).lifetime?.cancel()
                    let inner = Lifetime(in: downstream.lifetime) { error in
                        if error != nil { failed.withLock { $0 = id } }
                        coordinator.submit(.innerEnded(id, error))
                    }
                    current.value.lifetime = inner
                    coordinator.submit(.begin(id))
                    do {
                        try transform(element).run(Observer(inner) { coordinator.submit(.next(id, $0)) })
                    } catch {
                        inner.fail(error)
                    }
                })
        })
    }

    /// `flatMapLatest` with a closure that returns a signal, or another type of stream.
    @_disfavoredOverload
    public func flatMapLatest<Inner: Subscribable>(
        _ transform: @escaping @Sendable (Element) throws -> Inner
    ) -> Observable<Inner.Element> {
        flatMapLatest { try transform($0).observable }
    }
}

private enum FlatMapLatestEvent<Output: Sendable>: Sendable {
    case begin(Int)
    case next(Int, Output)
    case innerEnded(Int, (any Error)?)
    case outerEnded((any Error)?)
}

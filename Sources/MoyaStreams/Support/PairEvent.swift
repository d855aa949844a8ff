enum PairEvent<Element: Sendable, Other: Sendable>: Sendable {
    case next(Element)
    case end((any Error)?)
    case other(Other)
    case otherEnd((any Error)?)
}

extension Subscribable {
    /// Subscribes `other`, then this stream, and reduces the events of both.
    func combine<Other: Sendable, State: Sendable, Output: Sendable>(
        with other: Observable<Other>, _ state: State,
        _ reduce: @escaping @Sendable (inout State, PairEvent<Element, Other>, Observer<Output>) -> Void
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator<State, PairEvent<Element, Other>, Output>(state, downstream) {
                state, event, observer, _ in reduce(&state, event, observer)
            }
            coordinator.subscribe(other, in: downstream.lifetime, next: { .other($0) }, end: { .otherEnd($0) })
            coordinator.subscribe(source, in: downstream.lifetime, next: { .next($0) }, end: { .end($0) })
        })
    }
}

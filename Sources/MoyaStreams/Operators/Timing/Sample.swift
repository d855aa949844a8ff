extension Subscribable {
    /// The latest value, whenever another stream sends something and there is a new one.
    ///
    /// ```text
    /// source:               a-b-----c|
    /// sampler:              ---x--x
    /// sample(by: sampler):  ---b----(c|)
    /// ```
    /// Completion sends the value that still waits; when the sampler completes, so does the stream. Fails with the first
    /// failure. The sampler is subscribed first. Buffers one value.
    public func sample<Trigger: Sendable>(by sampler: some Subscribable<Trigger>) -> Observable<Element> {
        sampled(by: sampler, defaultValue: nil).named()
    }

    /// The latest value, or a default where there is no new one, whenever another stream sends something.
    ///
    /// ```text
    /// source:                                a-b-----c|
    /// sampler:                               ---x--x--
    /// sample(by: sampler, defaultValue: n):  ---b--n--(c|)
    /// ```
    /// Otherwise as ``sample(by:)``; the end sends no default.
    public func sample<Trigger: Sendable>(
        by sampler: some Subscribable<Trigger>, defaultValue: Element
    ) -> Observable<Element> {
        sampled(by: sampler, defaultValue: defaultValue).named()
    }

    private func sampled<Trigger: Sendable>(
        by sampler: some Subscribable<Trigger>, defaultValue: Element?
    ) -> Observable<Element> {
        Observable(run: { [source = observable, sampler = sampler.observable] downstream in
            let coordinator = Coordinator<Element?, SampleInput<Element>, Element>(nil, downstream) {
                waiting, input, observer, _ in
                switch input {
                case .next(let element):
                    waiting = element
                    return .continue
                case .end(let error?): return .finish(error)
                case .now: waiting = waiting ?? defaultValue
                case .end(nil): break
                }
                if let element = waiting {
                    waiting = nil
                    observer.send(element)
                }
                if case .end = input { return .finish(nil) }
                return .continue
            }
            let watching = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            sampler.run(Observer(watching) { _ in coordinator.submit(.now) })
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0)) })
        })
    }
}

private enum SampleInput<Element: Sendable>: Sendable {
    case next(Element)
    case now
    case end((any Error)?)
}

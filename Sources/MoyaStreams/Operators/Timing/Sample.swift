extension Subscribable {
    /// Sends the latest value each time another stream sends a value, unless the latest value was already sent.
    ///
    /// ```text
    /// source:               a-b-----c|
    /// sampler:              ---x--x
    /// sample(by: sampler):  ---b-----(c|)
    /// ```
    /// When the source or the sampler completes, the stream sends the latest value, unless that value was already sent,
    /// and completes. Fails with the first failure. The sampler is subscribed first. Buffers one value.
    public func sample<Trigger: Sendable>(by sampler: some Subscribable<Trigger>) -> Observable<Element> {
        sampled(by: sampler, defaultValue: nil).named()
    }

    /// Sends the latest value, or a default if no new value has arrived, each time another stream sends a value.
    ///
    /// ```text
    /// source:                                a-b-----c|
    /// sampler:                               ---x--x--
    /// sample(by: sampler, defaultValue: n):  ---b--n--(c|)
    /// ```
    /// In all other respects, this operator behaves like ``sample(by:)``. Completion sends no default.
    public func sample<Trigger: Sendable>(
        by sampler: some Subscribable<Trigger>, defaultValue: Element
    ) -> Observable<Element> {
        sampled(by: sampler, defaultValue: defaultValue).named()
    }

    private func sampled<Trigger: Sendable>(
        by sampler: some Subscribable<Trigger>, defaultValue: Element?
    ) -> Observable<Element> {
        Observable(run: { [source = observable, sampler = sampler.observable] downstream in
            let coordinator = Coordinator<Element?, SampleInputEvent<Element>, Element>(nil, downstream) {
                pending, event, observer, _ in
                switch event {
                case .next(let element):
                    pending = element
                    return .continue
                case .end(let error?): return .finish(error)
                case .sample: pending = pending ?? defaultValue
                case .end(nil): break
                }
                if let element = pending {
                    pending = nil
                    observer.send(element)
                }
                if case .end = event { return .finish(nil) }
                return .continue
            }
            let samplerLifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            sampler.run(Observer(samplerLifetime) { _ in coordinator.submit(.sample) })
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0)) })
        })
    }
}

/// A message to the coordinator: a value of the source, a value of the sampler, or the end of either stream.
private enum SampleInputEvent<Element: Sendable>: Sendable {
    case next(Element)
    case sample
    case end((any Error)?)
}

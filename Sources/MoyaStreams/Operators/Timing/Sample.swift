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
        sampled(by: sampler, defaultValue: nil)
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
        sampled(by: sampler, defaultValue: defaultValue)
    }

    private func sampled<Trigger: Sendable>(
        by sampler: some Subscribable<Trigger>, defaultValue: Element?
    ) -> Observable<Element> {
        combine(with: sampler.observable, Element?.none) { pending, event, observer in
            switch event {
            case .next(let element): pending = element
            case .other: if let element = pending.take() ?? defaultValue { observer.send(element) }
            case .end(let error), .otherEnd(let error):
                if error == nil, let element = pending { observer.send(element) }
                return observer.lifetime.end(error)
            }
        }
    }
}

extension Subscribable {
    /// Delivers the events on `scheduler`, one at a time and in order, even if the scheduler is concurrent.
    ///
    /// ```swift
    /// provider.request(.zen).mapString().observe(on: .main).subscribeNext { label.text = $0 }
    /// ```
    /// The terminal event is delivered after the values. Buffers the events that were not delivered yet, without limit.
    /// Cancelling the subscription drops the buffered events.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let delivery = SerialDelivery<Event<Element>>(on: scheduler) { event in
                guard !downstream.lifetime.isOver else { return }
                if case .next(let element) = event { downstream.next(element) } else { downstream.send(event: event) }
            }
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                delivery.post(error.map { .error($0) } ?? .completed)
            }
            downstream.lifetime.onEnd { [weak delivery] in delivery?.close() }
            source.run(Observer(lifetime) { delivery.post(.next($0)) })
        })
    }
}

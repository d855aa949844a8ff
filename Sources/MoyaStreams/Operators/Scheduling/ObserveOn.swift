public import Moya

extension Subscribable {
    /// The same events, delivered by `scheduler`: one at a time and in order, also on a concurrent queue.
    ///
    /// ```swift
    /// provider.request(.zen).mapString().observe(on: .main).subscribeNext { label.text = $0 }
    /// ```
    /// Completion and failure keep their coordinator behind the values. Buffers what the scheduler has not delivered yet,
    /// without limit; a cancel drops it.
    @inlinable
    public func observe(on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let mailbox = Mailbox<Event<Element>>(on: scheduler) { event in
                guard !downstream.lifetime.isOver else { return }
                switch event {
                case .next(let element): downstream.next(element)
                case .error(let error): downstream.lifetime.fail(error)
                case .completed: downstream.lifetime.finish()
                }
            }
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                mailbox.post(error.map { .error($0) } ?? .completed)
            }
            downstream.lifetime.onEnd { [weak mailbox] in mailbox?.close() }
            source.run(Observer(lifetime) { mailbox.post(.next($0)) })
        })
    }
}

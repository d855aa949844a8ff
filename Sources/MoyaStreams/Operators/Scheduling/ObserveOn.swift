public import Moya

extension Subscribable {
    /// The same events, delivered by `scheduler`: one at a time and in order, also on a concurrent queue.
    ///
    /// ```swift
    /// provider.request(.zen).mapString().observe(on: .main).subscribeNext { label.text = $0 }
    /// ```
    /// Completion and failure keep their place behind the values. Buffers what the scheduler has not delivered yet,
    /// without limit; a cancel drops it.
    public func observe(on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [run = observable.run] downstream in
            let handover = Handover(downstream, scheduler)
            let lifetime = Lifetime(in: downstream.lifetime) { handover.end($0) }
            downstream.lifetime.onEnd { [weak handover] in handover?.clear() }
            run(Observer(lifetime) { handover.send($0) })
        })
    }
}

/// From one thread to another: the producer appends, the consumer takes the whole batch, so that a burst of values is one
/// piece of scheduled work.
private final class Handover<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var observer: Observer<Element>?
        var values: [Element] = []
        var end: Result<Void, any Error>?
        var isScheduled = false
    }

    private let state: Guarded<State>
    private let scheduler: any Scheduler

    init(_ observer: Observer<Element>, _ scheduler: any Scheduler) {
        state = Guarded(State(observer: observer))
        self.scheduler = scheduler
    }

    func send(_ element: Element) {
        add { $0.values.append(element) }
    }

    func end(_ error: (any Error)?) {
        add { $0.end = error.map { .failure($0) } ?? .success(()) }
    }

    func clear() {
        let left = state.withLock { state in
            defer { state = State(isScheduled: state.isScheduled) }
            return state
        }
        _ = left
    }

    private func add(_ change: (inout State) -> Void) {
        let isFirst = state.withLock { state in
            guard state.observer != nil else { return false }
            change(&state)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { scheduler.schedule { self.drain() } }
    }

    private func drain() {
        while let (observer, values, end) = nextBatch() {
            for value in values {
                if observer.lifetime.isOver { break }
                observer.next(value)
            }
            guard let end else { continue }
            switch end {
            case .success: observer.lifetime.finish()
            case .failure(let error): observer.lifetime.fail(error)
            }
        }
    }

    private func nextBatch() -> (Observer<Element>, [Element], Result<Void, any Error>?)? {
        state.withLock { state in
            guard let observer = state.observer, !state.values.isEmpty || state.end != nil else {
                state.isScheduled = false
                return nil
            }
            defer {
                state.values = []
                state.end = nil
            }
            return (observer, state.values, state.end)
        }
    }
}

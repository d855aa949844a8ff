public import MoyaScheduling

extension Subscribable {
    /// A value, once no other has followed it for a while.
    ///
    /// ```text
    /// source:                ab----c|
    /// debounce(for: 2 ms):   ---b---(c|)
    /// ```
    /// Completion sends the pending value, unless `emitsPendingValueOnCompletion` is false; a failure drops it, and is not delayed.
    /// The clock decides, also when the scheduler runs late: a value whose interval has passed is sent before the next event.
    /// Delivers values on the scheduler, the last one where the completion came. Buffers one value.
    ///
    /// ```swift
    /// typed.debounce(for: .milliseconds(300), on: .main).flatMapLatest { search($0) }
    /// ```
    /// - Parameters:
    ///   - interval: how long nothing may follow.
    ///   - scheduler: measures the time.
    ///   - emitsPendingValueOnCompletion: whether completion sends what waits.
    public func debounce(
        for interval: Duration, on scheduler: any Scheduler, emitsPendingValueOnCompletion: Bool = true
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator<DebounceState<Element>, DebounceState<Element>.Input, Element>(
                DebounceState(), downstream
            ) { state, input, observer, coordinator in
                switch input {
                case .next(let element, let now):
                    if let waiting = state.take(dueBefore: now) { observer.send(waiting) }
                    let generation = state.arrive(element, due: now + interval)
                    state.follow(scheduler.schedule(after: interval) { coordinator.submit(.quiet(generation)) })
                case .quiet(let generation):
                    if let element = state.take(generation) { observer.send(element) }
                case .end(let error):
                    let flushed =
                        error == nil && emitsPendingValueOnCompletion
                        ? state.take() : state.take(dueBefore: scheduler.now)
                    if let flushed { observer.send(flushed) }
                    return .finish(error)
                }
                return .continue
            }
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0, at: scheduler.now)) })
        })
    }
}

/// The value that waits, and its timer.
private struct DebounceState<Element: Sendable>: Sendable {
    enum Input: Sendable {
        case next(Element, at: Duration)
        case quiet(Int)
        case end((any Error)?)
    }

    private var waiting: Element?
    private var due = Duration.zero
    private var generation = 0
    private var timer: ScopedTimer?

    mutating func arrive(_ element: Element, due: Duration) -> Int {
        waiting = element
        self.due = due
        generation += 1
        return generation
    }

    mutating func follow(_ timer: any Cancellable) {
        self.timer = ScopedTimer(timer)
    }

    /// The value, if its time is over though its timer has not fired.
    mutating func take(dueBefore now: Duration) -> Element? {
        due < now ? take() : nil
    }

    /// The value, if it is still the one of that timer.
    mutating func take(_ generation: Int) -> Element? {
        generation == self.generation ? take() : nil
    }

    mutating func take() -> Element? {
        timer = nil
        defer { waiting = nil }
        return waiting
    }
}

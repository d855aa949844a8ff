public import MoyaScheduling

extension Subscribable {
    /// Sends each value that is not followed by another value within an interval.
    ///
    /// ```text
    /// source:                ab----c|
    /// debounce(for: 2 ms):   ---b---(c|)
    /// ```
    /// A value is pending until its interval has passed, and is then sent on the scheduler. If the source completes
    /// earlier, the value is sent on the source's thread, unless `emitsPendingValueOnCompletion` is false. If
    /// the source fails earlier, the value is dropped. If the timer fires late, the next event of the source, even a
    /// failure, first sends the overdue value, on the thread of that event. Buffers one value.
    ///
    /// ```swift
    /// typed.debounce(for: .milliseconds(300), on: .main).flatMapLatest { search($0) }
    /// ```
    /// - Parameters:
    ///   - interval: the time that must pass without another value.
    ///   - scheduler: provides the time and runs the timers.
    ///   - emitsPendingValueOnCompletion: whether completion sends the pending value.
    public func debounce(
        for interval: Duration, on scheduler: any Scheduler, emitsPendingValueOnCompletion: Bool = true
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator<DebounceState<Element>, DebounceState<Element>.InputEvent, Element>(
                DebounceState(), downstream
            ) { state, event, observer, coordinator in
                switch event {
                case .next(let element, let now):
                    if let pending = state.take(dueBefore: now) { observer.send(pending) }
                    let generation = state.add(element, due: now + interval)
                    state.timer = AutoCancellingTimer(after: interval, on: scheduler) {
                        coordinator.submit(.due(generation))
                    }
                case .due(let generation):
                    if let element = state.take(generation) { observer.send(element) }
                case .end(let error):
                    let last =
                        error == nil && emitsPendingValueOnCompletion
                        ? state.take() : state.take(dueBefore: scheduler.now)
                    if let last { observer.send(last) }
                    return .finish(error)
                }
                return .continue
            }
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0, at: scheduler.now)) })
        })
    }
}

/// The pending value of `debounce` and its timer.
private struct DebounceState<Element: Sendable>: Sendable {
    /// A message to the coordinator; `due` contains the generation of the value whose timer has fired.
    enum InputEvent: Sendable {
        case next(Element, at: Duration)
        case due(Int)
        case end((any Error)?)
    }

    var timer: AutoCancellingTimer?
    private var pending: Element?
    private var due = Duration.zero
    private var generation = 0

    /// Replaces the pending value; returns the generation of the new value, which is its ordinal number.
    mutating func add(_ element: Element, due: Duration) -> Int {
        pending = element
        self.due = due
        generation += 1
        return generation
    }

    /// Removes and returns the pending value if it is overdue: its interval has passed, but its timer has not fired.
    mutating func take(dueBefore now: Duration) -> Element? {
        due < now ? take() : nil
    }

    /// Removes and returns the pending value if the value has the given generation.
    mutating func take(_ generation: Int) -> Element? {
        generation == self.generation ? take() : nil
    }

    mutating func take() -> Element? {
        timer = nil
        defer { pending = nil }
        return pending
    }
}

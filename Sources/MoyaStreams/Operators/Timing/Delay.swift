public import MoyaScheduling

extension Subscribable {
    /// Delays each value by a duration.
    ///
    /// ```text
    /// source:             a-b|
    /// delay(for: 2 ms):   --a-b|
    /// ```
    /// The delay begins when an event arrives, even if the observer is busy then. Completion is delayed, too. A
    /// failure is not delayed, and drops the pending values. Values and completion are delivered on the scheduler.
    /// Buffers the pending events, without limit.
    public func delay(for duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator<DelayState<Element>, DelayState<Element>.InputEvent, Element>(
                DelayState(), downstream
            ) {
                state, event, observer, coordinator in
                switch event {
                case .event(.error(let error), _): return .finish(error)
                case .event(let event, let now): state.append(event, due: now + duration)
                case .due:
                    state.timer = nil
                    while let event = state.next(dueBy: scheduler.now) {
                        guard case .next(let element) = event else { return .finish(nil) }
                        observer.send(element)
                    }
                }
                if state.timer == nil, let due = state.nextDue {
                    state.timer = AutoCancellingTimer(after: due - scheduler.now, on: scheduler) {
                        coordinator.submit(.due)
                    }
                }
                return .continue
            }
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                coordinator.submit(.event(error.map { .error($0) } ?? .completed, at: scheduler.now))
            }
            source.run(Observer(lifetime) { coordinator.submit(.event(.next($0), at: scheduler.now)) })
        })
    }
}

private struct DelayState<Element: Sendable>: Sendable {
    /// An event of the source, or the expiry of the timer.
    enum InputEvent: Sendable {
        case event(Event<Element>, at: Duration)
        case due
    }

    private struct PendingEvent: Sendable {
        let due: Duration
        let event: Event<Element>
    }

    /// The timer of the first pending event.
    var timer: AutoCancellingTimer?
    private var queue = Queue<PendingEvent>()

    var nextDue: Duration? { queue.head?.due }

    mutating func append(_ event: Event<Element>, due: Duration) {
        queue.append(PendingEvent(due: due, event: event))
    }

    mutating func next(dueBy now: Duration) -> Event<Element>? {
        guard let due = nextDue, due <= now else { return nil }
        return queue.popFirst()?.event
    }
}

/// An input event of an operator that waits: an event of its source, with the time of its arrival (R35), or its timer.
enum TimedEvent<Element: Sendable>: Sendable {
    case next(Element, at: Duration)
    case due(Int)
    case end((any Error)?, at: Duration)
}

extension Coordinator {
    func subscribe<Element: Sendable>(
        _ source: Observable<Element>, in parent: Lifetime, on scheduler: (any Scheduler)?
    ) where InputEvent == TimedEvent<Element> {
        subscribe(
            source, in: parent, next: { .next($0, at: scheduler?.now ?? .zero) },
            end: { .end($0, at: scheduler?.now ?? .zero) })
    }
}

extension Subscribable {
    func timed<State: Sendable>(
        _ state: State, on scheduler: any Scheduler,
        _ reduce: @escaping Coordinator<State, TimedEvent<Element>, Element>.Reducer
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator(state, downstream, reduce)
            // There is no timer 0: for an operator that waits from the start, this event starts the first one.
            coordinator.submit(.due(0))
            coordinator.subscribe(source, in: downstream.lifetime, on: scheduler)
        })
    }
}

/// The timer of an operator that waits, in the state of its coordinator; it is cancelled when the state is released.
struct OperatorTimer: Sendable {
    /// Cancels the timer when it is released.
    private var pending: Lifetime?
    /// The number of the last timer, by which the event of a former one is ignored.
    private var number = 0
    private var due = Duration.zero

    var isRunning: Bool { pending != nil }

    func isOverdue(at now: Duration) -> Bool { isRunning && due < now }

    mutating func start<State: Sendable, Element: Sendable, Output: Sendable>(
        at now: Duration, for delay: Duration, on scheduler: any Scheduler,
        _ coordinator: Coordinator<State, TimedEvent<Element>, Output>, fileID: String = #fileID, line: UInt = #line
    ) {
        number += 1
        due = now + delay.clamped
        // The time counts from `now`, also if the operator was busy since (R35).
        let work = scheduler.scheduleTimer(after: due - scheduler.now, fileID: fileID, line: line) { [number] in
            coordinator.submit(.due(number))
        }
        pending = Lifetime(.callWhenReleased { _ in work.cancel() })
    }

    mutating func stop() { pending = nil }

    /// Stops the timer if it has fired, that is, if `number` is not that of a former one.
    mutating func hasFired(_ number: Int) -> Bool {
        guard isRunning, number == self.number else { return false }
        stop()
        return true
    }
}

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
        timed((pending: Element?.none, timer: OperatorTimer()), on: scheduler) { state, event, observer, coordinator in
            switch event {
            case .next(let element, let now):
                if state.timer.isOverdue(at: now), let pending = state.pending { observer.send(pending) }
                state.pending = element
                state.timer.start(at: now, for: interval, on: scheduler, coordinator)
            case .due(let number):
                if state.timer.hasFired(number), let element = state.pending.take() { observer.send(element) }
            case .end(let error, let now):
                let isSent = error == nil && emitsPendingValueOnCompletion || state.timer.isOverdue(at: now)
                if isSent, let last = state.pending { observer.send(last) }
                return observer.lifetime.end(error)
            }
        }
    }
}

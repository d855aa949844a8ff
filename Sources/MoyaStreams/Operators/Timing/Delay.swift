extension Subscribable {
    /// Delays each value by a duration.
    ///
    /// ```text
    /// source:             a-b|
    /// delay(for: 2 ms):   --a-b|
    /// ```
    /// The delay begins when an event arrives, even if the observer is busy then. Completion is delayed, too. A
    /// failure is not delayed, and drops the pending values. If the timer fires late, a failure first sends the overdue
    /// values. Other values and the completion are delivered on the scheduler. Buffers the pending events, without
    /// limit.
    public func delay(for duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        // An element of `nil` is the completion.
        timed((queue: Queue<(element: Element?, due: Duration)>(), timer: OperatorTimer()), on: scheduler) {
            state, event, observer, coordinator in
            switch event {
            case .next(let element, let now): state.queue.append((element, now + duration.clamped))
            case .end(let error?, let now):
                while let due = state.queue.head?.due, due < now, let element = state.queue.popFirst()?.element {
                    observer.send(element)
                }
                return observer.lifetime.end(error)
            case .end(nil, let now): state.queue.append((nil, now + duration.clamped))
            case .due(let number):
                guard state.timer.hasFired(number) else { break }
                while let due = state.queue.head?.due, due <= scheduler.now, let next = state.queue.popFirst() {
                    guard let element = next.element else { return observer.lifetime.finish() }
                    observer.send(element)
                }
            }
            if !state.timer.isRunning, let due = state.queue.head?.due {
                let now = scheduler.now
                state.timer.start(at: now, for: due - now, on: scheduler, coordinator)
            }
        }
    }

    /// Subscribes to the source after a duration; cancelling before then cancels the wait.
    ///
    /// ```text
    /// source:                         ab|
    /// delaySubscription(for: 2 ms):   --ab|
    /// ```
    /// The source is subscribed on the scheduler.
    public func delaySubscription(for duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        subscribed { scheduler.scheduleTimer(after: duration, $0) }
    }
}

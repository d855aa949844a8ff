extension Subscribable {
    /// Sends the first value immediately, and then at most one value in each window of time.
    ///
    /// ```text
    /// source:                abc----d|
    /// throttle(for: 3 ms):   a--c---d|
    /// ```
    /// Each value that is sent begins a window. The latest value that arrives in a window is pending until the window
    /// ends, and is then delivered on the scheduler. All other values are delivered on the thread that sends them.
    /// Completion is delivered after the pending value; a failure drops the pending value. If the timer runs late, a
    /// value that arrives at or after the end of the window is sent immediately, and the pending value is dropped.
    /// Buffers one value.
    ///
    /// ```swift
    /// scrolled.throttle(for: .milliseconds(100), on: .main).subscribeNext { loadMore(at: $0) }
    /// ```
    /// - Parameters:
    ///   - window: the minimum time between two values.
    ///   - latest: whether the pending value is sent; if false, all values that arrive in a window are dropped.
    ///   - scheduler: provides the time and runs the timers.
    public func throttle(
        for window: Duration, latest: Bool = true, on scheduler: any Scheduler
    ) -> Observable<Element> {
        timed(ThrottleState<Element>(), on: scheduler) { state, event, observer, coordinator in
            switch event {
            case .next(let element, let now):
                if let end = state.windowEnd, now < end {
                    guard latest else { break }
                    state.pending = element
                    if !state.timer.isRunning {
                        state.timer.start(at: now, for: end - now, on: scheduler, coordinator)
                    }
                } else {
                    state.beginWindow(until: now + window.clamped)
                    observer.send(element)
                }
            case .due(let number):
                guard state.timer.hasFired(number), let element = state.pending else { break }
                state.beginWindow(until: scheduler.now + window.clamped)
                observer.send(element)
                if state.isSourceOver { return observer.lifetime.finish() }
            case .end(let error, let now):
                if state.timer.isOverdue(at: now), let element = state.pending.take() { observer.send(element) }
                if error != nil || state.pending == nil { return observer.lifetime.end(error) }
                state.isSourceOver = true
            }
        }
    }
}

private struct ThrottleState<Element: Sendable>: Sendable {
    /// The end of the window, outside of which a value of this time is already; `nil` before the first window.
    private(set) var windowEnd: Duration?
    var pending: Element?
    var timer = OperatorTimer()
    var isSourceOver = false

    mutating func beginWindow(until end: Duration) {
        windowEnd = end
        pending = nil
        timer.stop()
    }
}

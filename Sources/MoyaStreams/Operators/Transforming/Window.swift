extension Subscribable {
    /// Sends streams of `count` values each, called windows.
    ///
    /// ```text
    /// source:             a-b-c-d-e|
    /// window(count: 2):   x---y---z|      (x: a-(b|), y: c-(d|), z: e|)
    /// ```
    /// Each window is sent before its first value, and no window is empty. A window completes with its last value. The
    /// last window completes or fails with the source. A window buffers its values until its first subscription.
    /// Cancelling the subscription to one window does not affect the other windows. The source is cancelled when the
    /// stream of windows and all windows have no subscribers left. A window that is first subscribed after the source
    /// was cancelled sends its buffered values and completes. A `count` below 1 counts as 1.
    ///
    /// ```swift
    /// readings.window(count: 100).flatMap { window in window.reduce(0, +) }
    /// ```
    public func window(count: Int) -> Observable<Observable<Element>> {
        windows(count: count, schedule: nil)
    }

    /// Sends streams, called windows, of the values that arrive within `duration`, with at most `count` values each.
    ///
    /// ```text
    /// source:                        ab---cdef|
    /// window(for: 3 ms, count: 3):   x----y--z|      (x: ab-|, y: cd(e|), z: f|)
    /// ```
    /// A window begins with its first value. A value that arrives more than `duration` after the first value begins a
    /// new window, even if the timer runs late. The timer completes a window on the scheduler. A value or the end of
    /// the source completes a window on the thread of that event. In all other respects, this operator behaves
    /// like ``window(count:)``.
    ///
    /// - Parameters:
    ///   - duration: the maximum duration of a window.
    ///   - count: the maximum number of values of a window.
    ///   - scheduler: provides the time and runs the timers.
    public func window(
        for duration: Duration, count: Int = .max, on scheduler: any Scheduler
    ) -> Observable<Observable<Element>> {
        windows(count: count, schedule: (duration, scheduler))
    }

    private func windows(
        count: Int, schedule: (duration: Duration, scheduler: any Scheduler)?
    ) -> Observable<Observable<Element>> {
        Observable(run: { [source = observable] downstream in
            let subscribers = InnerStreamSubscribers(downstream.lifetime)
            let connection = Lifetime(in: subscribers.lifetime) { downstream.lifetime.end($0) }
            let observer = Observer<Observable<Element>>(connection) { downstream.send($0) }
            let coordinator = Coordinator<WindowState<Element>, TimedEvent<Element>, Observable<Element>>(
                WindowState(), observer
            ) { window, event, observer, coordinator in
                switch event {
                case .next(let element, let now):
                    if window.timer.isOverdue(at: now) { window.close(nil) }
                    if window.emitter == nil {
                        guard !downstream.lifetime.isOver else { break }
                        let (stream, emitter) = subscribers.makeStream(of: Element.self)
                        window.emitter = emitter
                        observer.next(stream)
                        if let (duration, scheduler) = schedule {
                            window.timer.start(at: now, for: duration, on: scheduler, coordinator)
                        }
                    }
                    window.emitter?.post(element)
                    window.count += 1
                    if window.count >= count { window.close(nil) }
                case .due(let number): if window.timer.hasFired(number) { window.close(nil) }
                case .end(let error, let now):
                    window.close(window.timer.isOverdue(at: now) ? nil : error)
                    return observer.lifetime.end(error)
                }
            }
            coordinator.subscribe(source, in: connection, on: schedule?.scheduler)
        })
    }
}

private struct WindowState<Element: Sendable>: Sendable {
    var emitter: Emitter<Element>?
    var count = 0
    var timer = OperatorTimer()

    mutating func close(_ error: (any Error)?) {
        timer.stop()
        count = 0
        emitter.take()?.end(error)
    }
}

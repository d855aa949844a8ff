public import MoyaScheduling

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
    /// was cancelled sends only its buffered values. A `count` below 1 counts as 1.
    ///
    /// ```swift
    /// readings.window(count: 100).flatMap { window in window.reduce(0, +) }
    /// ```
    public func window(count: Int) -> Observable<Observable<Element>> {
        Observable(run: { [source = observable] downstream in
            windows(of: source, downstream, count: count, schedule: nil)
        })
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
        Observable(run: { [source = observable] downstream in
            windows(of: source, downstream, count: count, schedule: (duration, scheduler))
        })
    }
}

private func windows<Element: Sendable>(
    of source: Observable<Element>, _ downstream: Observer<Observable<Element>>, count: Int,
    schedule: (duration: Duration, scheduler: any Scheduler)?
) {
    let connection = Lifetime { downstream.lifetime.end($0) }
    let subscribers = InnerStreamRefCount(of: connection)
    subscribers.add(downstream.lifetime)
    let observer = Observer<Observable<Element>>(connection) { downstream.send($0) }
    let coordinator = Coordinator<WindowState<Element>, WindowState<Element>.InputEvent, Observable<Element>>(
        WindowState(), observer
    ) {
        window, event, observer, coordinator in
        switch event {
        case .next(let element, let now):
            if schedule != nil, window.isOver(at: now) { window.close(nil) }
            if !window.isOpen {
                guard !downstream.lifetime.isOver else { break }
                let (stream, emitter) = subscribers.makeStream(of: Element.self)
                let number = window.open(emitter, until: now + (schedule?.duration ?? .zero))
                observer.next(stream)
                if let schedule {
                    window.timer = AutoCancellingTimer(after: schedule.duration, on: schedule.scheduler) {
                        coordinator.submit(.due(number))
                    }
                }
            }
            if window.send(element) >= count { window.close(nil) }
        case .due(let number): if number == window.windowNumber { window.close(nil) }
        case .end(let error):
            window.close(error)
            return .finish(error)
        }
        return .continue
    }
    let lifetime = Lifetime(in: connection) { coordinator.submit(.end($0)) }
    source.run(Observer(lifetime) { coordinator.submit(.next($0, at: schedule?.scheduler.now ?? .zero)) })
}

/// The state of `window`: the open window, if there is one, and its timer.
private struct WindowState<Element: Sendable>: Sendable {
    enum InputEvent: Sendable {
        case next(Element, at: Duration)
        /// The timer of the window with this number has fired.
        case due(Int)
        case end((any Error)?)
    }

    private(set) var windowNumber = 0
    var timer: AutoCancellingTimer?
    private var emitter: Emitter<Element>?
    private var count = 0
    private var end = Duration.zero

    var isOpen: Bool { emitter != nil }

    func isOver(at now: Duration) -> Bool { isOpen && end < now }

    mutating func open(_ emitter: Emitter<Element>, until end: Duration) -> Int {
        self.emitter = emitter
        self.end = end
        count = 0
        windowNumber += 1
        return windowNumber
    }

    /// Sends a value to the open window; returns the number of values that were sent to this window.
    mutating func send(_ element: Element) -> Int {
        emitter?.post(element)
        count += 1
        return count
    }

    mutating func close(_ error: (any Error)?) {
        timer = nil
        emitter?.end(error)
        emitter = nil
    }
}

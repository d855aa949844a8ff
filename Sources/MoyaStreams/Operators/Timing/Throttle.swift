public import MoyaScheduling

extension Subscribable {
    /// Sends at most one value in each window: the first value immediately, and the latest when the window ends.
    ///
    /// ```text
    /// source:                ab-c-----d|
    /// throttle(for: 3 ms):   a--c-----d|
    /// ```
    /// A window begins with each value that is sent. The clock determines its end, even if the scheduler runs its timer
    /// late: a value that arrives after the end of the window is sent, and the pending one is dropped. Completion is
    /// delivered after the pending value; a failure drops it immediately. Delivers the first value on the thread that
    /// sends it, and the latest on the scheduler. Buffers one value.
    ///
    /// ```swift
    /// scrolled.throttle(for: .milliseconds(100), on: .main).subscribeNext { loadMore(at: $0) }
    /// ```
    /// - Parameters:
    ///   - window: the minimum time between two values.
    ///   - latest: whether the latest value of a window is sent at its end; if false, all but the first are dropped.
    ///   - scheduler: provides the time and runs the timers.
    public func throttle(
        for window: Duration, latest: Bool = true, on scheduler: any Scheduler
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            typealias InputEvent = ThrottleState<Element>.InputEvent
            let coordinator = Coordinator<ThrottleState<Element>, InputEvent, Element>(ThrottleState(), downstream) {
                state, event, observer, coordinator in
                switch event {
                case .next(let element, let now):
                    if state.opensWindow(at: now, for: window) {
                        observer.send(element)
                    } else if latest, state.setPending(element) {
                        let number = state.number
                        state.timer = AutoCancellingTimer(
                            scheduler.schedule(after: state.end - now) { coordinator.submit(.windowEnded(number)) })
                    }
                case .windowEnded(let number):
                    guard let element = state.take(number) else { break }
                    _ = state.opensWindow(at: scheduler.now, for: window)
                    observer.send(element)
                    if state.isSourceOver { return .finish(nil) }
                case .end(let error):
                    if error != nil || !state.hasPending { return .finish(error) }
                    state.isSourceOver = true
                }
                return .continue
            }
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0, at: scheduler.now)) })
        })
    }
}

/// The current window and the pending value.
private struct ThrottleState<Element: Sendable>: Sendable {
    /// A value or the end of the source, or the end of the timer of a window, as it is submitted to the coordinator.
    enum InputEvent: Sendable {
        case next(Element, at: Duration)
        case windowEnded(Int)
        case end((any Error)?)
    }

    var isSourceOver = false
    /// The timer of the pending value.
    var timer: AutoCancellingTimer?
    private var pending: Element?
    /// The end of the window, exclusive.
    private(set) var end = Duration.zero
    /// The number of windows that have begun.
    private(set) var number = 0

    var hasPending: Bool { pending != nil }

    /// If the previous window has ended, begins one and drops the pending value; returns whether it has begun one.
    mutating func opensWindow(at now: Duration, for window: Duration) -> Bool {
        guard number == 0 || now >= end else { return false }
        end = now + window
        number += 1
        pending = nil
        timer = nil
        return true
    }

    /// Sets the pending value; returns whether there was none.
    mutating func setPending(_ element: Element) -> Bool {
        defer { pending = element }
        return pending == nil
    }

    /// Removes and returns the pending value if the window has the given number.
    mutating func take(_ number: Int) -> Element? {
        guard number == self.number else { return nil }
        // The window also ends if its timer has fired early because of rounding.
        end = .zero
        defer { pending = nil }
        return pending
    }
}

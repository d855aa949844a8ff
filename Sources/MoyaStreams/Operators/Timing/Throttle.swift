public import MoyaScheduling

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
    /// value that arrives after the end of the window is sent immediately, and the pending value is dropped. Buffers
    /// one value.
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
        Observable(run: { [source = observable] downstream in
            typealias InputEvent = ThrottleState<Element>.InputEvent
            let coordinator = Coordinator<ThrottleState<Element>, InputEvent, Element>(ThrottleState(), downstream) {
                state, event, observer, coordinator in
                switch event {
                case .next(let element, let now):
                    if state.openWindow(at: now, for: window) {
                        observer.send(element)
                    } else if latest, state.setPending(element) {
                        let number = state.windowNumber
                        state.timer = AutoCancellingTimer(after: state.end - now, on: scheduler) {
                            coordinator.submit(.windowEnded(number))
                        }
                    }
                case .windowEnded(let number):
                    guard let element = state.take(number) else { break }
                    _ = state.openWindow(at: scheduler.now, for: window)
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

/// The current window of `throttle` and the pending value.
private struct ThrottleState<Element: Sendable>: Sendable {
    /// A message to the coordinator; `windowEnded` contains the number of the window whose timer has fired.
    enum InputEvent: Sendable {
        case next(Element, at: Duration)
        case windowEnded(Int)
        case end((any Error)?)
    }

    var isSourceOver = false
    /// The timer that sends the pending value when the window ends.
    var timer: AutoCancellingTimer?
    private var pending: Element?
    /// The time at which the current window ends; a value that arrives at this time is outside the window.
    private(set) var end = Duration.zero
    /// The number of the current window; 0 before the first window.
    private(set) var windowNumber = 0

    var hasPending: Bool { pending != nil }

    /// Begins a window and drops the pending value, unless a window is open; returns whether a window has begun.
    mutating func openWindow(at now: Duration, for window: Duration) -> Bool {
        guard windowNumber == 0 || now >= end else { return false }
        end = now + window
        windowNumber += 1
        pending = nil
        timer = nil
        return true
    }

    /// Sets the pending value; returns whether no value was pending before.
    mutating func setPending(_ element: Element) -> Bool {
        defer { pending = element }
        return pending == nil
    }

    /// Removes and returns the pending value if the current window has the given number.
    mutating func take(_ number: Int) -> Element? {
        guard number == windowNumber else { return nil }
        // Ends the window even if the timer has fired early because of rounding.
        end = .zero
        defer { pending = nil }
        return pending
    }
}

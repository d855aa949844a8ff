public import MoyaScheduling

extension Subscribable {
    /// At most one value in each window: the first at once, the latest of the others when the window ends.
    ///
    /// ```text
    /// source:                ab-c-----d|
    /// throttle(for: 3 ms):   a--c-----d|
    /// ```
    /// A window begins with each value that is sent, and its end is judged by the clock when a value comes, also when the
    /// scheduler runs late: a value that comes after the window's end takes the place of one that still waits. Completion waits
    /// for the value that still waits; a failure drops it, and is not delayed. Delivers the first where it came, the latest on
    /// the scheduler. Buffers one value.
    ///
    /// ```swift
    /// scrolled.throttle(for: .milliseconds(100), on: .main).subscribeNext { loadMore(at: $0) }
    /// ```
    /// - Parameters:
    ///   - window: how long at least lies between two values.
    ///   - latest: whether the latest of a window is sent at its end; if not, all but its first value are dropped.
    ///   - scheduler: measures the time.
    public func throttle(
        for window: Duration, latest: Bool = true, on scheduler: any Scheduler
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            typealias Input = ThrottleState<Element>.Input
            let coordinator = Coordinator<ThrottleState<Element>, Input, Element>(ThrottleState(), downstream) {
                state, input, observer, coordinator in
                switch input {
                case .next(let element, let now):
                    if state.opensWindow(at: now, for: window) {
                        observer.send(element)
                    } else if latest, state.wait(element) {
                        let number = state.number
                        state.timer = ScopedTimer(
                            scheduler.schedule(after: state.end - now) { coordinator.submit(.windowEnded(number)) })
                    }
                case .windowEnded(let number):
                    guard let element = state.take(number) else { break }
                    _ = state.opensWindow(at: scheduler.now, for: window)
                    observer.send(element)
                    if state.isSourceOver { return .finish(nil) }
                case .end(let error):
                    if error != nil || !state.isWaiting { return .finish(error) }
                    state.isSourceOver = true
                }
                return .continue
            }
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.end($0)) }
            source.run(Observer(lifetime) { coordinator.submit(.next($0, at: scheduler.now)) })
        })
    }
}

/// The window, and what waits for its end.
private struct ThrottleState<Element: Sendable>: Sendable {
    enum Input: Sendable {
        case next(Element, at: Duration)
        case windowEnded(Int)
        case end((any Error)?)
    }

    var isSourceOver = false
    /// For the value that waits.
    var timer: ScopedTimer?
    private var waiting: Element?
    /// When the window ends; values at that instant are behind it.
    private(set) var end = Duration.zero
    /// How many windows have begun.
    private(set) var number = 0

    var isWaiting: Bool { waiting != nil }

    /// Whether the window before is over by the clock, whatever its timer says; what waited for its end is dropped then.
    mutating func opensWindow(at now: Duration, for window: Duration) -> Bool {
        guard number == 0 || now >= end else { return false }
        end = now + window
        number += 1
        waiting = nil
        timer = nil
        return true
    }

    /// Whether it is the first that waits in this window.
    mutating func wait(_ element: Element) -> Bool {
        defer { waiting = element }
        return waiting == nil
    }

    /// What waits for the end of that window.
    mutating func take(_ number: Int) -> Element? {
        guard number == self.number else { return nil }
        // A timer that fires early, by the clock's rounding, ends the window, too.
        end = .zero
        defer { waiting = nil }
        return waiting
    }
}

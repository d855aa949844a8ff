public import Moya

extension Subscribable {
    /// At most one value in each window: the first at once, the latest of the others when the window ends.
    ///
    /// ```text
    /// source:                ab-c-----d|
    /// throttle(for: 3 ms):   a--c-----d|
    /// ```
    /// A window begins with each value that is sent. Completion waits for the value that still waits; a failure drops it,
    /// and is not delayed. Delivers the first where it came, the latest on the scheduler. Buffers one value.
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
            typealias Input = Throttle<Element>.Input
            let junction = Junction<Throttle<Element>, Input, Element>(Throttle(), downstream) {
                state, input, observer, junction in
                let element: Element?
                switch input {
                case .next(let next): element = state.arrive(next, keeps: latest)
                case .windowEnded: element = state.endWindow()
                case .end(let error):
                    if error != nil || !state.isWaiting { return .ends(error) }
                    state.isSourceOver = true
                    return .goesOn
                }
                guard let element else { return .goesOn }
                observer.send(element)
                if state.isSourceOver { return .ends(nil) }
                state.follow(scheduler.schedule(after: window) { junction.pass(.windowEnded) })
                return .goesOn
            }
            let lifetime = Lifetime(in: downstream.lifetime) { junction.pass(.end($0)) }
            source.run(Observer(lifetime) { junction.pass(.next($0)) })
        })
    }
}

/// The window, and what waits for its end.
private struct Throttle<Element: Sendable>: Sendable {
    enum Input: Sendable {
        case next(Element)
        case windowEnded
        case end((any Error)?)
    }

    var isSourceOver = false
    private var waiting: Element?
    private var alarm: Alarm?
    private var isOpen = false

    var isWaiting: Bool { waiting != nil }

    /// The value, if it opens a window.
    mutating func arrive(_ element: Element, keeps: Bool) -> Element? {
        if !isOpen {
            isOpen = true
            return element
        }
        if keeps { waiting = element }
        return nil
    }

    /// What has waited, if something has; it opens the next window.
    mutating func endWindow() -> Element? {
        alarm = nil
        isOpen = waiting != nil
        defer { waiting = nil }
        return waiting
    }

    mutating func follow(_ timer: any Cancellable) {
        alarm = Alarm(timer)
    }
}

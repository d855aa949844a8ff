public import Moya

extension Subscribable {
    /// A value, once no other has followed it for a while.
    ///
    /// ```text
    /// source:                ab----c|
    /// debounce(for: 2 ms):   ---b---(c|)
    /// ```
    /// Completion sends the value that still waits, unless `flushes` is false; a failure drops it, and is not delayed.
    /// Delivers values on the scheduler, the last one where the completion came. Buffers one value.
    ///
    /// ```swift
    /// typed.debounce(for: .milliseconds(300), on: .main).flatMapLatest { search($0) }
    /// ```
    /// - Parameters:
    ///   - quiet: how long nothing may follow.
    ///   - scheduler: measures the time.
    ///   - flushes: whether completion sends what waits.
    public func debounce(
        for quiet: Duration, on scheduler: any Scheduler, flushes: Bool = true
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let junction = Junction<Debounce<Element>, Debounce<Element>.Input, Element>(
                Debounce(), downstream
            ) { state, input, observer, junction in
                switch input {
                case .next(let element):
                    let generation = state.arrive(element)
                    state.follow(scheduler.schedule(after: quiet) { junction.pass(.quiet(generation)) })
                case .quiet(let generation):
                    if let element = state.take(generation) { observer.send(element) }
                case .end(let error):
                    if error == nil, flushes, let element = state.take() { observer.send(element) }
                    return .ends(error)
                }
                return .goesOn
            }
            let lifetime = Lifetime(in: downstream.lifetime) { junction.pass(.end($0)) }
            source.run(Observer(lifetime) { junction.pass(.next($0)) })
        })
    }
}

/// The value that waits, and its timer.
private struct Debounce<Element: Sendable>: Sendable {
    enum Input: Sendable {
        case next(Element)
        case quiet(Int)
        case end((any Error)?)
    }

    private var waiting: Element?
    private var generation = 0
    private var alarm: Alarm?

    mutating func arrive(_ element: Element) -> Int {
        waiting = element
        generation += 1
        return generation
    }

    mutating func follow(_ timer: any Cancellable) {
        alarm = Alarm(timer)
    }

    /// The value, if it is still the one of that timer.
    mutating func take(_ generation: Int) -> Element? {
        generation == self.generation ? take() : nil
    }

    mutating func take() -> Element? {
        alarm = nil
        defer { waiting = nil }
        return waiting
    }
}

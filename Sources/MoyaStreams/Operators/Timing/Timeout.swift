public import MoyaScheduling

/// Nothing came for too long.
public struct StreamTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// How long it was waited for a value.
    public let duration: Duration

    /// One line.
    public var description: String { "no value came within \(duration)" }
}

extension Subscribable {
    /// The same events, and a failure when no value comes for too long: from the subscription to the first, and from each
    /// to the next.
    ///
    /// ```text
    /// source:                   a-b-----c|
    /// timeout(after: 3 ms):     a-b--#
    /// ```
    /// Fails with a ``StreamTimeout``. The clock decides, also when the scheduler runs late: a value, or the completion, that
    /// comes after the deadline is a failure.
    public func timeout(after duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator<TimeoutState, TimeoutInput<Element>, Element>(TimeoutState(), downstream) {
                watch, input, observer, coordinator in
                let now = scheduler.now
                switch input {
                case .due(let generation):
                    guard generation == watch.generation else { return .continue }
                    return .finish(StreamTimeout(duration: duration))
                case .event(.next), .event(.completed):
                    if now > watch.deadline { return .finish(StreamTimeout(duration: duration)) }
                case .event(.error), .start: break
                }
                switch input {
                case .event(.error(let error)): return .finish(error)
                case .event(.completed): return .finish(nil)
                case .event(.next(let element)): observer.send(element)
                case .start, .due: break
                }
                // From here, not from the arrival: an observer that takes its time is no gap of the source.
                watch.deadline = scheduler.now + duration
                watch.generation += 1
                let generation = watch.generation
                watch.timer = ScopedTimer(scheduler.schedule(after: duration) { coordinator.submit(.due(generation)) })
                return .continue
            }
            coordinator.submit(.start)
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                coordinator.submit(.event(error.map { .error($0) } ?? .completed))
            }
            source.run(Observer(lifetime) { coordinator.submit(.event(.next($0))) })
        })
    }
}

private enum TimeoutInput<Element: Sendable>: Sendable {
    case start
    case event(Event<Element>)
    case due(Int)
}

private struct TimeoutState: Sendable {
    var generation = 0
    /// For the next value.
    var deadline = Duration.zero
    var timer: ScopedTimer?
}

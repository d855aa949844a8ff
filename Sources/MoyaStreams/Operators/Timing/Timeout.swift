public import MoyaScheduling

/// The error of a stream that has sent no value within the time limit.
public struct StreamTimeout: Error, Sendable, Hashable, CustomStringConvertible {
    /// The time limit that has passed.
    public let duration: Duration

    /// A description on one line.
    public var description: String { "the stream sent no value within \(duration)" }
}

extension Subscribable {
    /// Fails if no value arrives within a duration after the subscription or after the previous value.
    ///
    /// ```text
    /// source:                   a-b-----c|
    /// timeout(after: 3 ms):     a-b--#
    /// ```
    /// Fails with a ``StreamTimeout``. If the timer runs late, a value or completion that arrives after the deadline
    /// also fails the stream. With a duration of zero, the source has until the next work of the scheduler.
    public func timeout(after duration: Duration, on scheduler: any Scheduler) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let coordinator = Coordinator<TimeoutState, TimeoutInputEvent<Element>, Element>(TimeoutState(), downstream)
            {
                state, event, observer, coordinator in
                let now = scheduler.now
                switch event {
                case .due(let generation):
                    guard generation == state.generation else { return .continue }
                    return .finish(StreamTimeout(duration: duration))
                case .event(.next), .event(.completed):
                    if now > state.deadline, duration > .zero { return .finish(StreamTimeout(duration: duration)) }
                case .event(.error), .start: break
                }
                switch event {
                case .event(.error(let error)): return .finish(error)
                case .event(.completed): return .finish(nil)
                case .event(.next(let element)): observer.send(element)
                case .start, .due: break
                }
                // The time limit begins after the delivery, so that the time that the observer takes does not count.
                state.deadline = scheduler.now + duration
                state.generation += 1
                let generation = state.generation
                state.timer = AutoCancellingTimer(after: duration, on: scheduler) {
                    coordinator.submit(.due(generation))
                }
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

/// A message to the coordinator; `due` contains the generation number of the timer that has fired.
private enum TimeoutInputEvent<Element: Sendable>: Sendable {
    case start
    case event(Event<Element>)
    case due(Int)
}

private struct TimeoutState: Sendable {
    var generation = 0
    /// The time by which the next value must arrive.
    var deadline = Duration.zero
    var timer: AutoCancellingTimer?
}

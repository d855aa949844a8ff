import MoyaScheduling

/// Starts the subscriptions of `repeat`, `retry` and `concat` one after the other, without growing the call stack.
final class SequentialSubscriber: Sendable {
    private let lifetime: Lifetime
    private let work: @Sendable (Int, SequentialSubscriber) -> Void
    private let state = Locked<(round: Int, timer: (any Cancellable)?)>((0, nil))

    /// - Parameter work: subscribes to a stream; receives the number of the round, from 1, and the subscriber.
    init(_ lifetime: Lifetime, _ work: @escaping @Sendable (Int, SequentialSubscriber) -> Void) {
        self.lifetime = lifetime
        self.work = work
    }

    func startNext() {
        lifetime.trampoline { [self] in
            let round = state.withLock { state in
                state.round += 1
                return state.round
            }
            work(round, self)
        }
    }

    /// Starts the round after `round` when `delay` has passed, unless the lifetime ends before.
    func startNext(after delay: Duration, on scheduler: any Scheduler, round: Int) {
        let timer = scheduler.scheduleTimer(after: delay) { [self] in startNext() }
        let (old, isFirst) = state.withLock { state -> ((any Cancellable)?, Bool) in
            // If a later round has begun, the timer has fired.
            guard state.round == round else { return (nil, false) }
            let isFirst = state.timer == nil
            return (exchange(&state.timer, with: timer), isFirst)
        }
        withExtendedLifetime(old) {}
        if isFirst {
            lifetime.onEnd { [self] in state.withLock { $0.timer }?.cancel() }
        } else if lifetime.isOver {
            timer.cancel()
        }
    }
}

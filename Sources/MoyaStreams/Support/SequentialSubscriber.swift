import MoyaScheduling

/// Starts the subscriptions of `repeat`, `retry` and `concat` one after the other, without growing the call stack.
final class SequentialSubscriber: Sendable {
    private struct State: Sendable {
        var round = 0
        var timer: (any Cancellable)?
    }

    private let lifetime: Lifetime
    private let work: @Sendable (Int, SequentialSubscriber) -> Void
    private let state = Locked(State())

    /// Creates a subscriber, of which each call of `startNext()` starts a round: one call of `work`.
    ///
    /// - Parameter work: subscribes to a stream; receives the number of the round, from 1, and the subscriber.
    init(_ lifetime: Lifetime, _ work: @escaping @Sendable (Int, SequentialSubscriber) -> Void) {
        self.lifetime = lifetime
        self.work = work
    }

    /// Starts the next round immediately, or after the running round if there is one.
    func startNext() {
        lifetime.trampoline { [self] in
            let round = state.withLock { state in
                state.round += 1
                return state.round
            }
            work(round, self)
        }
    }

    /// Stores the timer that starts the round after `round`, so that the timer is cancelled when the lifetime ends.
    ///
    /// Does nothing if a later round has begun, because the timer has then fired.
    func store(_ timer: any Cancellable, after round: Int) {
        let (old, isFirst) = state.withLock { state -> ((any Cancellable)?, Bool) in
            guard state.round == round else { return (nil, false) }
            defer { state.timer = timer }
            return (state.timer, state.timer == nil)
        }
        withExtendedLifetime(old) {}
        if isFirst {
            lifetime.onEnd { [self] in state.withLock { $0.timer }?.cancel() }
        } else if lifetime.isOver {
            timer.cancel()
        }
    }
}

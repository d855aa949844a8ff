import Moya

/// Work that is done again and again, as often as it says so, without growing the stack (R16).
final class Resubscriber: Sendable {
    private struct State: Sendable {
        var number = 0
        var timer: (any Cancellable)?
    }

    private let lifetime: Lifetime
    private let work: @Sendable (Int, Resubscriber) -> Void
    private let state = Guarded(State())

    /// - Parameter work: given the number of the round, from 1.
    init(_ lifetime: Lifetime, _ work: @escaping @Sendable (Int, Resubscriber) -> Void) {
        self.lifetime = lifetime
        self.work = work
    }

    /// The next round: now, or, from inside one, after it.
    func goOn() {
        lifetime.trampoline { [self] in
            let number = state.withLock { state in
                state.number += 1
                return state.number
            }
            work(number, self)
        }
    }

    /// Cancels the timer that begins the round after `round` if nobody listens any more before it is due.
    ///
    /// A timer that has fired before it is stored is not stored: there may be a newer one by now.
    func follow(_ timer: any Cancellable, after round: Int) {
        let (old, isFirst) = state.withLock { state -> ((any Cancellable)?, Bool) in
            guard state.number == round else { return (nil, false) }
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

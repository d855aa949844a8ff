import Synchronization

/// Starts the subscriptions of `repeat`, `retry` and `concat` one after the other, without growing the call stack.
final class SequentialSubscriber: Sendable {
    private let lifetime: Lifetime
    private let work: @Sendable (Int, SequentialSubscriber) -> Void
    private let rounds = Atomic(0)

    /// - Parameter work: subscribes to a stream; receives the number of the round, from 1, and the subscriber.
    init(_ lifetime: Lifetime, _ work: @escaping @Sendable (Int, SequentialSubscriber) -> Void) {
        self.lifetime = lifetime
        self.work = work
    }

    func startNext() {
        lifetime.trampoline { [self] in work(rounds.wrappingAdd(1, ordering: .relaxed).newValue, self) }
    }
}

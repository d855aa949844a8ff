public import Synchronization

/// The number of values that `take` has yet to send or `skip` has yet to drop; decremented by one thread at a time.
@usableFromInline
final class RemainingElementCount: Sendable {
    @usableFromInline let remaining: Atomic<Int>

    @inlinable
    init(_ count: Int) {
        remaining = Atomic(count)
    }

    /// Decrements the number and returns the result, which is negative for values beyond the initial number.
    @inlinable
    func decrement() -> Int {
        let count = remaining.load(ordering: .relaxed) - 1
        remaining.store(count, ordering: .relaxed)
        return count
    }
}

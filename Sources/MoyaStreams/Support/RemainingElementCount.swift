public import Synchronization

/// The number of elements that are still to be sent or dropped; one thread at a time decrements it.
@usableFromInline
final class RemainingElementCount: Sendable {
    @usableFromInline let remaining: Atomic<Int>

    @inlinable
    init(_ count: Int) {
        remaining = Atomic(count)
    }

    /// Decrements the number; returns the new one, which is negative after more elements than that.
    @inlinable
    func decrement() -> Int {
        let count = remaining.load(ordering: .relaxed) - 1
        remaining.store(count, ordering: .relaxed)
        return count
    }
}

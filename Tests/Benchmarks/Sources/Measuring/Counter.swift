import Synchronization

/// A counter that several threads increment.
package final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    package init() {}

    package var value: Int { number.load(ordering: .relaxed) }

    /// Increments the counter; returns the new number.
    @discardableResult
    package func increment() -> Int { number.add(1, ordering: .relaxed).newValue }
}

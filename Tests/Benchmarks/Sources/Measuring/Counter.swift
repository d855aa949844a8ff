import Synchronization

/// A number that several threads count up.
package final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    package init() {}

    package var value: Int { number.load(ordering: .relaxed) }

    /// Counts one and returns the new number.
    @discardableResult
    package func increment() -> Int { number.add(1, ordering: .relaxed).newValue }
}

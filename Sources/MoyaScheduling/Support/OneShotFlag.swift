public import Synchronization

/// A flag that is set once, from any thread; only the first caller that sets it receives `true`.
@usableFromInline
package final class OneShotFlag: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)

    @inlinable
    package init() {}

    /// Sets the flag; returns whether it was unset before.
    @inlinable
    package func setIfUnset() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }

    /// Whether the flag is set.
    package var isSet: Bool { flag.load(ordering: .acquiring) }
}

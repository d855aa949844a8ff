public import Synchronization

/// A flag that is set once, by the first of several callers.
@usableFromInline
package final class OneShotFlag: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)

    @inlinable
    package init() {}

    /// Sets the flag; returns whether this call did, and none before it.
    @inlinable
    package func setIfUnset() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }

    /// Whether the flag is set.
    package var isSet: Bool { flag.load(ordering: .acquiring) }
}

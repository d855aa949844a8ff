public import Synchronization

/// A flag that any thread can set, and that is never reset.
@usableFromInline
package final class OneShotFlag: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)

    @inlinable
    package init() {}

    /// Sets the flag; returns whether it was unset before.
    @inlinable
    package func setIfUnset() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }

    package var isSet: Bool { flag.load(ordering: .acquiring) }
}

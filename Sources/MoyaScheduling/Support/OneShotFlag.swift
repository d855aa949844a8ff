public import Synchronization

@usableFromInline
package final class OneShotFlag: Sendable {
    @usableFromInline let flag = Atomic<Bool>(false)

    @inlinable
    package init() {}

    @inlinable
    package func setIfUnset() -> Bool { !flag.exchange(true, ordering: .acquiringAndReleasing) }

    package var isSet: Bool { flag.load(ordering: .acquiring) }
}

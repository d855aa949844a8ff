import Synchronization

/// Something that happens once, whoever comes first.
final class OneTime: Sendable {
    private let hasHappened = Atomic<Bool>(false)

    /// True for the first who asks.
    var isFirst: Bool { !hasHappened.exchange(true, ordering: .acquiringAndReleasing) }
}

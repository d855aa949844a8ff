import Synchronization

/// Something that happens once, whoever comes first.
final class OneTime: Sendable {
    private let isPast = Atomic<Bool>(false)

    /// True for the first who asks.
    var isFirst: Bool { !isPast.exchange(true, ordering: .acquiringAndReleasing) }

    /// Whether somebody has asked.
    var hasHappened: Bool { isPast.load(ordering: .acquiring) }
}

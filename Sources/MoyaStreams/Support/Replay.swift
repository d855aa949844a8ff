/// What a late subscriber of a ``Signal`` is given first.
public enum Replay: Sendable, Hashable {
    /// Nothing: only what comes from now on.
    case none
    /// The latest values, so many at most.
    case latest(Int)
    /// All values since the beginning; they are kept as long as the signal.
    case all

    @usableFromInline var limit: Int {
        switch self {
        case .none: 0
        case .latest(let count): max(count, 0)
        case .all: .max
        }
    }
}

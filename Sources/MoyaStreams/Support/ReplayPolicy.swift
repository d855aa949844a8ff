/// Which values a later subscriber of a ``Signal`` gets first.
public enum ReplayPolicy: Sendable, Hashable {
    /// None.
    case none
    /// The latest values, at most the given number.
    case latest(Int)
    /// All values since the beginning; they are retained as long as the signal.
    case all

    @usableFromInline var limit: Int {
        switch self {
        case .none: 0
        case .latest(let count): max(count, 0)
        case .all: .max
        }
    }
}

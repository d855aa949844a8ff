/// The values that a later subscriber of a ``Signal`` receives first.
public enum ReplayPolicy: Sendable, Hashable {
    /// No values.
    case none
    /// The latest values, at most the given number.
    case latest(Int)
    /// All values since the creation of the signal, which retains them.
    case all

    @usableFromInline var limit: Int {
        switch self {
        case .none: 0
        case .latest(let count): max(count, 0)
        case .all: .max
        }
    }
}

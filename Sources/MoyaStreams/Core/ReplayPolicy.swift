/// The earlier values that a new subscriber of a ``Signal`` receives first.
public enum ReplayPolicy: Sendable, Hashable, ExpressibleByIntegerLiteral {
    /// No values.
    case none
    /// The latest values, at most the given number.
    case latest(Int)
    /// All values since the creation of the signal; the signal retains them without limit.
    case all

    /// Creates a policy that replays the latest `count` values, as in `share(replay: 1)`.
    public init(integerLiteral count: Int) {
        self = count > 0 ? .latest(count) : .none
    }

    @usableFromInline var limit: Int {
        switch self {
        case .none: 0
        case .latest(let count): max(count, 0)
        case .all: .max
        }
    }
}

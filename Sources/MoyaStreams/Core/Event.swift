/// What an observer sees: any number of `next`, then at most one `error` or `completed`.
public enum Event<Element: Sendable>: Sendable {
    /// A value.
    case next(Element)
    /// The end, by a failure. Nothing follows.
    case error(any Error)
    /// The end, by completion. Nothing follows.
    case completed
}

/// An event of a stream: any number of `next`, then at most one `error` or `completed`.
public enum Event<Element: Sendable>: Sendable {
    /// A value.
    case next(Element)
    /// The terminal event of a stream that failed.
    case error(any Error)
    /// The terminal event of a stream that completed.
    case completed
}

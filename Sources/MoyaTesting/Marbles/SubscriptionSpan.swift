/// The time span of a subscription, as in the marble diagram `"--^---!"`: `^` is the start, and `!` is the end.
public struct SubscriptionSpan: Sendable, Hashable {
    /// The time at which the subscription started.
    public let start: Duration
    /// The time at which the subscription was cancelled or the stream ended; `nil` if the subscription has not ended.
    public let end: Duration?

    /// Creates a span.
    public init(start: Duration, end: Duration? = nil) {
        self.start = start
        self.end = end
    }

    /// Creates a span from a diagram.
    ///
    /// A diagram with a syntax error stops the program with a message that points at the error.
    ///
    /// - Parameters:
    ///   - marbles: the diagram; `^` marks the start, and an optional `!` marks the end.
    ///   - tick: the duration of one character.
    public init(_ marbles: String, tick: Duration) {
        let marks = ParsedMarbles(checked: marbles, tick: tick, kind: .subscription).marks
        start = marks.first { $0.event == .subscribed }?.time ?? .zero
        end = marks.first { $0.event == .cancelled }?.time
    }
}

extension SubscriptionSpan: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a span from a diagram with one character per millisecond.
    public init(stringLiteral text: String) {
        self.init(text, tick: .milliseconds(1))
    }

    /// The span as a marble diagram with one character per millisecond.
    public var description: String {
        let end = end.map { [(time: $0, event: ParsedMarbles.DiagramEvent.cancelled)] } ?? []
        return MarbleWriter(tick: .milliseconds(1)).write([(time: start, event: .subscribed)] + end)
    }
}

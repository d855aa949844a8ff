/// From when to when a stream is subscribed: `"--^---!"`, or `"^"` without an end.
public struct SubscriptionSpan: Sendable, Hashable {
    /// When it begins.
    public let start: Duration
    /// When it ends: by a cancel, or with the stream; nil if it does not.
    public let end: Duration?

    /// A span.
    public init(start: Duration, end: Duration? = nil) {
        self.start = start
        self.end = end
    }

    /// The span that a diagram shows.
    ///
    /// A diagram that is not well formed is a programmer's error and stops the program, with a caret under its place.
    ///
    /// - Parameters:
    ///   - marbles: `^` is the beginning, `!` the end.
    ///   - tick: what one character stands for.
    public init(_ marbles: String, tick: Duration) {
        let marks = Marbles(checked: marbles, tick: tick, kind: .subscription).marks
        start = marks.first { $0.event == .subscribed }?.time ?? .zero
        end = marks.first { $0.event == .cancelled }?.time
    }
}

extension SubscriptionSpan: ExpressibleByStringLiteral, CustomStringConvertible {
    /// The span that a diagram shows, with a tick of a millisecond.
    public init(stringLiteral text: String) {
        self.init(text, tick: .milliseconds(1))
    }

    /// The diagram, with a tick of a millisecond.
    public var description: String {
        let end = end.map { [(time: $0, event: Marbles.Event.cancelled)] } ?? []
        return MarbleWriter(tick: .milliseconds(1)).write([(time: start, event: .subscribed)] + end)
    }
}

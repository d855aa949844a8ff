/// The time span of a subscription, as in the marble diagram `"--^---!"`: `^` is the start, and `!` is the end.
///
/// In a literal, one character stands for one tick of the clock that plays the span, or whose spans are compared with
/// the literal.
public struct SubscriptionSpan: Sendable {
    /// The time at which the subscription started.
    public let start: Duration
    /// The time at which the subscription was cancelled or the stream ended; `nil` if the subscription has not ended.
    public let end: Duration?
    private let tick: Duration
    /// The diagram of a literal; `start` and `end` are its times with ticks of a millisecond.
    private let literal: String?

    /// Creates a span.
    public init(start: Duration, end: Duration? = nil) {
        self.init(start: start, end: end, tick: .milliseconds(1))
    }

    init(start: Duration, end: Duration?, tick: Duration) {
        self.start = start
        self.end = end
        self.tick = tick
        literal = nil
    }

    /// Creates a span from a diagram.
    ///
    /// A diagram with a syntax error stops the program with a message that points at the error.
    ///
    /// - Parameters:
    ///   - marbles: the diagram; `^` marks the start, and an optional `!` marks the end.
    ///   - tick: the duration of one character.
    public init(_ marbles: String, tick: Duration) {
        self.init(marbles, tick: tick, literal: nil)
    }

    private init(_ marbles: String, tick: Duration?, literal: String?) {
        let marks = ParsedMarbles(checked: marbles, tick: tick, kind: .subscription).marks
        start = marks.first { $0.event == .subscribed }?.time ?? .zero
        end = marks.first { $0.event == .cancelled }?.time
        self.tick = tick ?? .milliseconds(1)
        self.literal = literal
    }

    func onClock(tick: Duration) -> SubscriptionSpan { literal.map { SubscriptionSpan($0, tick: tick) } ?? self }
}

extension SubscriptionSpan: Hashable {
    /// Returns whether both spans have the same start and the same end.
    public static func == (left: SubscriptionSpan, right: SubscriptionSpan) -> Bool {
        let (left, right) = (left.onClock(tick: right.tick), right.onClock(tick: left.tick))
        return left.start == right.start && left.end == right.end
    }

    /// Hashes whether the span has an end, because a literal equals spans with other times.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(end == nil)
    }
}

extension SubscriptionSpan: ExpressibleByStringLiteral, CustomStringConvertible {
    /// Creates a span from a diagram.
    public init(stringLiteral text: String) {
        self.init(text, tick: nil, literal: text)
    }

    /// The span as a marble diagram, with the tick of its clock.
    public var description: String {
        let end = end.map { [(time: $0, event: ParsedMarbles.DiagramEvent.cancelled)] } ?? []
        return MarbleWriter(tick: tick).write([(time: start, event: .subscribed)] + end)
    }
}

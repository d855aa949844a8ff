import MoyaScheduling
public import MoyaStreams

/// The events that a subscriber of a stream has received so far, with their times.
///
/// Compare a recording with a marble diagram by `==`. If the recording differs from the diagram, the assertion of any
/// test framework shows the expected events, the actual events and the first difference:
///
/// ```swift
/// #expect(time.play(source.map { $0.uppercased() }) == "--A--B|")
/// ```
/// In a diagram, the name of a value is the `description` of the value.
public final class Recording<Element: Sendable>: Sendable {
    /// One event and its time from the start of the recording.
    public struct Entry: Sendable {
        /// The time of the event.
        public let time: Duration
        /// The event.
        public let event: Event<Element>
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var subscription: Subscription?
        var difference: String?
        var isAbandoned = false
    }

    package let tick: Duration
    /// The seed of the random order in which the clock runs simultaneous work; `nil` for first in, first out.
    let seed: UInt64?
    let isExpectation: Bool
    /// The time since the start of the recording; zero for an expected recording.
    private let elapsed: @Sendable () -> Duration
    private let literal: (@Sendable (_ tick: Duration) -> [Entry])?
    private let state: Locked<State>

    init(on time: VirtualTime) {
        tick = time.tick
        seed = time.seed
        let start = time.elapsed
        elapsed = { time.elapsed - start }
        isExpectation = false
        literal = nil
        state = Locked(State())
    }

    /// Creates an expected recording from a diagram; a closure maps the names in the diagram to values.
    ///
    /// A diagram with a syntax error stops the program with a message that points at the error.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - error: the error at a `#`; a ``MarbleFailure`` equals any error except a ``VirtualTimeError``.
    ///   - tick: the duration of one character.
    ///   - value: returns the value for a name; an error stops the program.
    public init(
        _ marbles: String, error: any Error = MarbleFailure(), tick: Duration = .milliseconds(1),
        value: (String) throws -> Element
    ) {
        self.tick = tick
        seed = nil
        elapsed = { .zero }
        isExpectation = true
        literal = nil
        state = Locked(State(entries: Self.entries(of: marbles, error: error, tick: tick, value)))
    }

    private init(literal text: String, _ value: @escaping @Sendable (String) throws -> Element) {
        tick = .milliseconds(1)
        seed = nil
        elapsed = { .zero }
        isExpectation = true
        literal = { tick in Self.entries(of: text, error: MarbleFailure(), tick: tick, value) }
        state = Locked(State(entries: Self.entries(of: text, error: MarbleFailure(), tick: nil, value)))
    }

    private static func entries(
        of marbles: String, error: any Error, tick: Duration?, _ value: (String) throws -> Element
    ) -> [Entry] {
        ParsedMarbles(checked: marbles, tick: tick).events(error: error, value).map {
            Entry(time: $0.time, event: $0.event)
        }
    }

    func events(tick: Duration) -> [Entry] { literal?(tick) ?? events }

    /// Creates an expected recording from a diagram; `values` maps the names in the diagram to values.
    ///
    /// ```swift
    /// #expect(time.play(users) == Recording("--a|", values: ["a": User(id: 5)]))
    /// ```
    public convenience init(
        _ marbles: String, values: [String: Element], error: any Error = MarbleFailure(),
        tick: Duration = .milliseconds(1)
    ) {
        self.init(marbles, error: error, tick: tick) { name in
            guard let element = values[name] else { throw UndefinedDiagramNameError(names: values.keys.sorted()) }
            return element
        }
    }

    func append(_ event: Event<Element>) {
        let time = elapsed()
        state.withLock { state in
            if !state.isAbandoned { state.entries.append(Entry(time: time, event: event)) }
        }
    }

    func store(_ subscription: Subscription) {
        state.withLock { $0.subscription = subscription }
    }

    func abandon(_ error: any Error) {
        append(.error(error))
        state.withLock { $0.isAbandoned = true }
        cancel()
    }

    func show(_ difference: String?) {
        state.withLock { $0.difference = difference }
    }

    /// All events in order.
    public var events: [Entry] { state.withLock { $0.entries } }

    /// The values in order.
    public var elements: [Element] {
        events.compactMap { if case .next(let element) = $0.event { element } else { nil } }
    }

    /// Whether the stream has completed.
    public var isCompleted: Bool {
        if case .completed = events.last?.event { true } else { false }
    }

    /// The error of a stream that has failed.
    public var error: (any Error)? {
        if case .error(let error) = events.last?.event { error } else { nil }
    }

    /// Cancels the subscription.
    public func cancel() {
        state.withLock { $0.subscription }?.cancel()
    }

    /// The events as a marble diagram.
    public var marbles: String {
        MarbleWriter(tick: tick).write(events.map { ($0.time, ParsedMarbles.DiagramEvent($0.event)) })
    }

    var lastDifference: String? { state.withLock { $0.difference } }
}

private struct UndefinedDiagramNameError: Error, CustomStringConvertible {
    let names: [String]
    var description: String { "the values are named \(names.joined(separator: ", "))" }
}

extension ParsedMarbles.DiagramEvent {
    init<Element>(_ event: Event<Element>) {
        self =
            switch event {
            case .next(let element): .value("\(element)")
            case .error: .error
            case .completed: .completed
            }
    }
}

extension Recording: CustomStringConvertible {
    /// The events as a marble diagram; after a comparison that failed, also the first difference.
    public var description: String {
        lastDifference.map { "\(marbles)\n\($0)\n" } ?? marbles
    }
}

extension Recording: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
where Element: LosslessStringConvertible {
    /// Creates an expected recording from a diagram.
    ///
    /// One character stands for one tick of the clock whose recording is compared with this one.
    /// Stops the program if the diagram has a syntax error, or if no `Element` can be created from a name.
    public convenience init(stringLiteral text: String) {
        self.init(literal: text) { name in
            guard let element = Element(name) else { throw DiagramValueConversionError(text: name) }
            return element
        }
    }
}

private struct DiagramValueConversionError: Error, CustomStringConvertible {
    let text: String
    var description: String { text.debugDescription }
}

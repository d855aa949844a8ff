import MoyaScheduling
public import MoyaStreams

/// What a subscriber of a stream has seen so far, and when.
///
/// It is compared with a marble diagram by value, so that an assertion of any test framework shows both, and where they
/// part:
///
/// ```swift
/// #expect(time.play(letters.map { $0.uppercased() }) == "--A--B|")
/// ```
/// A value's name in the diagram is its `description`.
public final class Recording<Element: Sendable>: Sendable {
    /// One event and its time from the start of the recording.
    public struct Entry: Sendable {
        /// When it came.
        public let time: Duration
        /// What came.
        public let event: Event<Element>
    }

    private struct State: Sendable {
        var entries: [Entry] = []
        var subscription: Subscription?
        var difference: String?
        var isOver = false
    }

    let tick: Duration
    /// The order in which work of the same instant ran, if it was not first in, first out.
    let seed: UInt64?
    let isExpectation: Bool
    private let state: Locked<State>

    init(tick: Duration, seed: UInt64?) {
        self.tick = tick
        self.seed = seed
        isExpectation = false
        state = Locked(State())
    }

    /// What is expected: the events of a diagram, with values made of their names.
    ///
    /// A diagram that is not well formed is a programmer's error and stops the program, with a caret under its place.
    ///
    /// - Parameters:
    ///   - marbles: the diagram.
    ///   - error: what `#` stands for; `MarbleFailure` for any error.
    ///   - tick: what one character stands for.
    ///   - value: makes a value of a name.
    public init(
        _ marbles: String, error: any Error = MarbleFailure(), tick: Duration = .milliseconds(1),
        value: (String) throws -> Element
    ) {
        self.tick = tick
        seed = nil
        isExpectation = true
        let events = Marbles(checked: marbles, tick: tick).events(error: error, value)
        state = Locked(State(entries: events.map { Entry(time: $0.time, event: $0.event) }))
    }

    /// What is expected: the events of a diagram, with values looked up by their names.
    ///
    /// ```swift
    /// #expect(time.play(users) == Recording("--a|", values: ["a": User(id: 5)]))
    /// ```
    public convenience init(
        _ marbles: String, values: [String: Element], error: any Error = MarbleFailure(),
        tick: Duration = .milliseconds(1)
    ) {
        self.init(marbles, error: error, tick: tick) { name in
            guard let element = values[name] else { throw UnknownName(names: values.keys.sorted()) }
            return element
        }
    }

    func append(_ event: Event<Element>, at time: Duration) {
        state.withLock { state in
            if !state.isOver { state.entries.append(Entry(time: time, event: event)) }
        }
    }

    func follow(_ subscription: Subscription) {
        state.withLock { $0.subscription = subscription }
    }

    /// The last event; none comes after it.
    func abandon(_ error: any Error, at time: Duration) {
        append(.error(error), at: time)
        state.withLock { $0.isOver = true }
        cancel()
    }

    func show(_ difference: String) {
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

    /// The error that the stream has failed with, if it has.
    public var error: (any Error)? {
        if case .error(let error) = events.last?.event { error } else { nil }
    }

    /// Cancels the subscription: nothing more is recorded.
    public func cancel() {
        state.withLock { $0.subscription }?.cancel()
    }

    /// The events as a diagram.
    public var marbles: String {
        MarbleWriter(tick: tick).write(events.map { ($0.time, Marbles.Event($0.event)) })
    }

    /// What the last comparison that failed has found, if one has.
    var difference: String? { state.withLock { $0.difference } }
}

/// A value's name that nobody explains.
private struct UnknownName: Error, CustomStringConvertible {
    let names: [String]
    var description: String { "the values are named \(names.joined(separator: ", "))" }
}

/// The event of a stream, where `Event` is that of a diagram.
typealias StreamEvent<Element: Sendable> = Event<Element>

extension Marbles.Event {
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
    /// The events as a diagram; behind a comparison that failed also where the two part.
    public var description: String {
        difference.map { "\(marbles)\n\($0)\n" } ?? marbles
    }
}

extension Recording: ExpressibleByStringLiteral, ExpressibleByUnicodeScalarLiteral,
    ExpressibleByExtendedGraphemeClusterLiteral
where Element: LosslessStringConvertible {
    /// The recording that a diagram describes, with a tick of a millisecond.
    ///
    /// A diagram that is not well formed, or has a value that is none of the element's type, is a programmer's error
    /// and stops the program.
    public convenience init(stringLiteral text: String) {
        self.init(text) { name in
            guard let element = Element(name) else { throw NoSuchValue(text: name) }
            return element
        }
    }
}

/// A text that is no value of its type.
private struct NoSuchValue: Error, CustomStringConvertible {
    let text: String
    var description: String { text.debugDescription }
}

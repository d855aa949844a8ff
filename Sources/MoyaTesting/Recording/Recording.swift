import Moya
public import MoyaStreams

/// What a subscriber of a stream has seen so far, and when.
///
/// It is compared with a marble diagram by value, so that an assertion shows both:
///
/// ```swift
/// #expect(time.play(letters.map { $0.uppercased() }) == "--A--B|")
/// ```
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
    }

    private let tick: Duration
    private let state = Guarded(State())

    init(tick: Duration) {
        self.tick = tick
    }

    func append(_ event: Event<Element>, at time: Duration) {
        state.withLock { $0.entries.append(Entry(time: time, event: event)) }
    }

    func follow(_ subscription: Subscription) {
        state.withLock { $0.subscription = subscription }
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
        MarbleWriter.write(events.map { ($0.time, mark($0.event)) }, tick: tick)
    }

    private func mark(_ event: Event<Element>) -> Marbles.Mark {
        switch event {
        case .next(let element): .value("\(element)")
        case .error: .error
        case .completed: .completed
        }
    }
}

extension Recording: CustomStringConvertible {
    /// The events as a diagram.
    public var description: String { marbles }
}

extension Recording: Equatable where Element: Equatable {
    /// Whether both have the same values and ends at the same times.
    ///
    /// Errors are equal to one another.
    public static func == (left: Recording, right: Recording) -> Bool {
        let (left, right) = (left.events, right.events)
        return left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                guard left.time == right.time else { return false }
                return switch (left.event, right.event) {
                case (.next(let left), .next(let right)): left == right
                case (.completed, .completed), (.error, .error): true
                default: false
                }
            }
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
        self.init(tick: .milliseconds(1))
        for (time, mark) in Marbles(checked: text, tick: tick).marks {
            switch mark {
            case .value(let value):
                guard let element = Element(value) else {
                    preconditionFailure("\(value.debugDescription) in the diagram \(text) is no \(Element.self)")
                }
                append(.next(element), at: time)
            case .error: append(.error(MarbleFailure()), at: time)
            case .completed: append(.completed, at: time)
            }
        }
    }
}

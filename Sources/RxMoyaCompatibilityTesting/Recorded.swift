public import MoyaStreams

/// A number of ticks.
@available(*, deprecated, message: "use Int")
public typealias TestTime = Int

/// A value and the tick at which it was sent.
@available(*, deprecated, message: "use the marbles of MoyaTesting")
public struct Recorded<Value: Sendable>: Sendable {
    /// The tick.
    public let time: Int
    /// The value, for streams an event.
    public let value: Value

    /// Creates a recorded value.
    public init(time: Int, value: Value) {
        self.time = time
        self.value = value
    }
}

@available(*, deprecated)
extension Recorded: Equatable where Value: Equatable {}

@available(*, deprecated)
extension Recorded: CustomStringConvertible {
    /// The value and its tick.
    public var description: String { "\(value) @ \(time)" }
}

@available(*, deprecated)
extension Recorded {
    /// A value of a stream.
    public static func next<Element>(_ time: Int, _ element: Element) -> Recorded where Value == Event<Element> {
        Recorded(time: time, value: .next(element))
    }

    /// The completion of a stream.
    public static func completed<Element>(
        _ time: Int, _ type: Element.Type = Element.self
    ) -> Recorded where Value == Event<Element> { Recorded(time: time, value: .completed) }

    /// The failure of a stream.
    public static func error<Element>(
        _ time: Int, _ error: any Error, _ type: Element.Type = Element.self
    ) -> Recorded where Value == Event<Element> { Recorded(time: time, value: .error(error)) }

    /// The given events as an array.
    public static func events<Element>(
        _ recordedEvents: Recorded<Event<Element>>...
    ) -> [Recorded<Event<Element>>] where Value == Event<Element> { recordedEvents }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Not available: this module does not import XCTest.
@available(*, unavailable, message: "use XCTAssertEqual(events.compactMap { $0.value.element }, elements)")
public func XCTAssertRecordedElements<Element: Equatable>(
    _ stream: [Recorded<Event<Element>>], _ elements: [Element], file: StaticString = #file, line: UInt = #line
) {}

/// Events are equal if their values are; errors are equal if they have the same text.
extension Event: Equatable where Element: Equatable {
    /// Whether two events are equal.
    public static func == (lhs: Event, rhs: Event) -> Bool {
        switch (lhs, rhs) {
        case (.next(let lhs), .next(let rhs)): lhs == rhs
        case (.error(let lhs), .error(let rhs)): "\(lhs)" == "\(rhs)"
        case (.completed, .completed): true
        default: false
        }
    }
}

/// The ticks at which a stream was subscribed to and disposed of.
@available(*, deprecated, message: "use leftovers of a VirtualTime, and the marbles of MoyaTesting")
public struct Subscription: Sendable, Hashable, CustomStringConvertible {
    /// The tick of the subscription.
    public let subscribe: Int
    /// The tick of the disposal, or `Int.max`.
    public let unsubscribe: Int

    /// Creates the ticks of a subscription.
    public init(_ subscribe: Int, _ unsubscribe: Int = .max) {
        self.subscribe = subscribe
        self.unsubscribe = unsubscribe
    }

    /// The two ticks.
    public var description: String {
        "(\(subscribe) : \(unsubscribe == .max ? "Infinity" : "\(unsubscribe)"))"
    }
}

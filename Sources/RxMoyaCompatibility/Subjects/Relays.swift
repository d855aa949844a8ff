public import MoyaStreams

/// A subject that never ends.
@available(*, deprecated, message: "use Signal.pipe(), which returns a signal and its emitter")
public protocol Relay<Element>: ObservableType {
    /// Sends a value to the subscribers.
    func accept(_ element: Element)
}

/// A relay that always has a value.
@available(*, deprecated, message: "use Signal.pipe(value:), which returns a signal and its emitter")
public final class BehaviorRelay<Element: Sendable>: Relay {
    private let pipe: (signal: Signal<Element>, emitter: ValueEmitter<Element>)

    /// Creates a relay with an initial value.
    public init(value: Element) { pipe = Signal.pipe(value: value) }
    /// The latest value.
    public var value: Element { pipe.emitter.value }
    /// A stream of the latest value, and of the values that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
}

/// A relay without an initial value.
@available(*, deprecated, message: "use Signal.pipe(), which returns a signal and its emitter")
public final class PublishRelay<Element: Sendable>: Relay {
    private let pipe = Signal<Element>.pipe()

    /// Creates a relay.
    public init() {}
    /// A stream of the values that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
}

/// A relay that replays its latest values to new subscribers.
@available(*, deprecated, message: "use Signal.pipe(replay:), which returns a signal and its emitter")
public final class ReplayRelay<Element: Sendable>: Relay {
    private let pipe: (signal: Signal<Element>, emitter: Emitter<Element>)

    private init(_ replay: ReplayPolicy) { pipe = Signal.pipe(replay: replay) }

    /// Returns a relay that replays the latest `bufferSize` values.
    public static func create(bufferSize: Int) -> ReplayRelay { ReplayRelay(.latest(bufferSize)) }
    /// Returns a relay that retains and replays all values.
    public static func createUnbound() -> ReplayRelay { ReplayRelay(.all) }
    /// A stream of the replayed values, and of those that are sent after the subscription.
    public var observable: Observable<Element> { pipe.signal.observable }
    /// Sends a value to the subscribers.
    public func accept(_ element: Element) { pipe.emitter.send(element) }
}

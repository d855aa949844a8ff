public import Moya

/// An observer that sends the events of a provider's calls as a signal.
///
/// ```swift
/// let observer = CallEvents()
/// let provider = MoyaProvider<GitHub>(observers: [observer])
/// observer.events.filter { $0.errorType != nil }.subscribeNext { print($0) }
/// ```
/// The signal replays nothing: without subscribers, events are dropped. It delivers on the thread of the observers, see
/// `CallObserver`, and never ends. One observer may belong to several providers, whose events are sent one at a time.
public final class CallEvents: CallObserver {
    /// The events.
    public let events: Signal<CallEvent>
    private let emitter: Emitter<CallEvent>

    /// Creates an observer.
    public init() {
        (events, emitter) = Signal<CallEvent>.pipe()
    }

    /// Sends the event to the subscribers.
    public func observe(_ event: CallEvent) {
        emitter.send(event)
    }
}

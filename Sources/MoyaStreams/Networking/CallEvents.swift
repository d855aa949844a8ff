/// A call observer that sends the events of a provider's calls to a signal.
///
/// ```swift
/// let observer = CallEvents()
/// let provider = MoyaProvider<GitHub>(observers: [observer])
/// observer.events.filter { $0.errorType != nil }.subscribeNext { print($0) }
/// ```
/// The signal never ends and replays no values: an event is dropped if the signal has no subscriber. Subscribers
/// receive the events on the queue on which the provider calls its observers; see `CallObserver`. One `CallEvents` may
/// observe several providers. Subscribers receive the events of all these providers one at a time.
public final class CallEvents: CallObserver {
    /// The signal of the call events.
    public let events: Signal<CallEvent>
    private let emitter: Emitter<CallEvent>

    /// Creates an observer.
    public init() {
        (events, emitter) = Signal<CallEvent>.pipe()
    }

    /// Sends `event` to the subscribers of ``events``; called by the provider.
    public func observe(_ event: CallEvent) {
        emitter.send(event)
    }
}

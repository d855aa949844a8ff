/// Receives the events of a provider's calls, for logs, metrics and diagnostics.
///
/// Unlike a plugin, an observer changes nothing and delays nothing: it is called later, on a thread of its own.
///
/// ```swift
/// struct FailureLog: CallObserver {
///     func observe(_ event: CallEvent) {
///         guard case .ended(let result, let duration) = event.kind, case .failure(let error) = result else { return }
///         print(event.target, error.kind, duration)
///     }
/// }
/// let provider = MoyaProvider<GitHub>(observers: [FailureLog()])
/// ```
/// All observers of a provider are called on one background queue, one event at a time, in the order of the events. If the
/// provider's ``ProviderConfiguration/scheduler`` is not a `DispatchScheduler`, such as a virtual clock, they are called
/// there. An observer may use the provider. While an observer is slow, events are held in memory, without a limit; each
/// event has the number of those behind it, see ``CallEvent/backlog``.
public protocol CallObserver: Sendable {
    /// Called with each event.
    func observe(_ event: CallEvent)
}

/// Receives the events of a provider's calls, for logs, metrics and diagnostics.
///
/// Unlike a plugin, an observer cannot change or delay a call: the observer is called later, on another queue.
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
/// All observers of a provider are called on one background queue, one event at a time, in the order of the events. If
/// the provider's ``ProviderConfiguration/scheduler`` is not a `DispatchScheduler` but, for example, a virtual clock,
/// observers are called on that scheduler. An observer may use the provider. Events that wait for a slow observer are
/// held in memory, without a limit; ``CallEvent/backlog`` is their number.
public protocol CallObserver: Sendable {
    /// Called with each event.
    func observe(_ event: CallEvent)
}

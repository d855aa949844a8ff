/// Decides when an outcome is delivered: not while a callback is running, but after it has returned.
///
/// It calls nothing itself and is protected by the owner's lock. Its methods return what the owner must do after
/// unlocking.
struct CompletionAfterCallback<Outcome: Sendable>: Sendable {
    private enum State {
        case idle
        case calling
        /// The outcome was set during a callback and is delivered after it.
        case deferred(Outcome)
        case completed
    }

    private var state = State.idle

    /// Whether an outcome was set, even if its delivery is still deferred.
    var isCompleted: Bool {
        switch state {
        case .idle, .calling: false
        case .deferred, .completed: true
        }
    }

    var isCalling: Bool { if case .calling = state { true } else { false } }

    /// Begins a callback.
    ///
    /// Returns `false` if the callback must not be called, because another one is running or an outcome was set.
    mutating func beginCall() -> Bool {
        guard case .idle = state else { return false }
        state = .calling
        return true
    }

    /// Ends a callback.
    ///
    /// If an outcome was set during the callback, returns it: the caller must deliver it now.
    mutating func endCall() -> Outcome? {
        switch state {
        case .calling:
            state = .idle
            return nil
        case .deferred(let outcome):
            state = .completed
            return outcome
        case .idle, .completed:
            assertionFailure("endCall without beginCall")
            return nil
        }
    }

    enum CompletionAction {
        case deliver
        case deferred
        case isCompleted
    }

    /// Sets the outcome, and returns whether the caller must deliver it now; only the first outcome counts.
    mutating func complete(_ outcome: Outcome) -> CompletionAction {
        switch state {
        case .idle:
            state = .completed
            return .deliver
        case .calling:
            state = .deferred(outcome)
            return .deferred
        case .deferred, .completed:
            return .isCompleted
        }
    }
}

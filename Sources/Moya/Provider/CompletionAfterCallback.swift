/// Delays a completion until the running callback has returned.
///
/// It has no side effects and is to be guarded by a lock: its methods return what the caller must do after unlocking.
struct CompletionAfterCallback<Outcome: Sendable>: Sendable {
    private enum State {
        case idle
        case calling
        /// The outcome was set during a callback and is delivered after it.
        case deferred(Outcome)
        case completed
    }

    private var state = State.idle

    /// Whether an outcome was set, delivered or still deferred.
    var isCompleted: Bool {
        switch state {
        case .idle, .calling: false
        case .deferred, .completed: true
        }
    }

    var isCalling: Bool { if case .calling = state { true } else { false } }

    /// Begins a callback.
    ///
    /// Returns `false` if the callback must not be called: another one is running, or the outcome is set.
    mutating func beginCall() -> Bool {
        guard case .idle = state else { return false }
        state = .calling
        return true
    }

    /// Ends a callback.
    ///
    /// Returns the outcome to deliver if one was set during the callback.
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

    /// Sets the outcome; only the first one counts.
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

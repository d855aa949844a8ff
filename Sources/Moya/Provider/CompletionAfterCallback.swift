// Delays an outcome until a running callback has returned. Used under a lock, so the methods call no closures, but
// return what to do after unlocking.
struct CompletionAfterCallback<Outcome: Sendable>: Sendable {
    private enum State {
        case idle
        case calling
        /// The outcome was set while a callback was running. It is delivered when the callback has returned.
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

    /// Returns `false` if the callback must not run, because another one is running or an outcome was set.
    mutating func beginCall() -> Bool {
        guard case .idle = state else { return false }
        state = .calling
        return true
    }

    /// Returns the outcome that was set during the callback; the caller must deliver it now.
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

    /// Sets the outcome if none was set before; returns whether the caller of this method must deliver it now.
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

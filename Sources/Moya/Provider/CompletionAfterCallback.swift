/// Orders a completion behind a callback that is running: it is delivered when the callback has returned.
///
/// A pure state, to be guarded by a lock. The events return what to do after unlocking.
struct CompletionAfterCallback<Outcome: Sendable>: Sendable {
    private enum State {
        case idle
        case calling
        /// Completed during a callback.
        case deferred(Outcome)
        case completed
    }

    private var state = State.idle

    /// Whether it was completed, be it delivered or deferred.
    var isCompleted: Bool {
        switch state {
        case .idle, .calling: false
        case .deferred, .completed: true
        }
    }

    var isCalling: Bool { if case .calling = state { true } else { false } }

    /// Begins a callback; returns `false` if there must be none any more.
    mutating func beginCall() -> Bool {
        guard case .idle = state else { return false }
        state = .calling
        return true
    }

    /// Ends a callback; returns the outcome to deliver now, if it was completed meanwhile.
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

    /// Completes; the first outcome counts.
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

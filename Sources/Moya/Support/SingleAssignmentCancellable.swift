/// Holds a token that is known later than it may have to be cancelled: a token that is set after the cancel is cancelled.
package final class SingleAssignmentCancellable: Cancellable {
    private enum State {
        case empty
        case holding(any Cancellable)
        case cancelled
    }

    private let state = Guarded(State.empty)

    package init() {}

    package var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    /// Stores the token, in place of one that was stored before; cancels it if this object is cancelled.
    package func set(_ token: any Cancellable) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .holding(token)
            return false
        }
        if isCancelled { token.cancel() }
    }

    package func cancel() {
        let token = state.withLock { state -> (any Cancellable)? in
            defer { state = .cancelled }
            return if case .holding(let token) = state { token } else { nil }
        }
        token?.cancel()
    }
}

// Can cancel an operation that has not returned its own cancellable yet. Callable from any thread.
package final class SingleAssignmentCancellable: Cancellable {
    private enum State {
        case empty
        case stored(any Cancellable)
        case finished
        case cancelled
    }

    private let state = Locked(State.empty)

    package init() {}

    package var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    package func store(_ cancellable: any Cancellable) {
        let isCancelled = state.withLock { state in
            switch state {
            case .empty: state = .stored(cancellable)
            case .stored:
                assertionFailure("SingleAssignmentCancellable.store(_:) was called twice; use one slot for each work")
            case .finished: break
            case .cancelled: return true
            }
            return false
        }
        if isCancelled { cancellable.cancel() }
    }

    /// Cancels the stored cancellable, or the one that is stored later; does nothing after ``finish()``.
    package func cancel() {
        if case .stored(let cancellable) = end(as: .cancelled) { cancellable.cancel() }
    }

    /// Releases the stored cancellable, or the one stored later; returns `false` if the token was ended before.
    @discardableResult
    package func finish() -> Bool {
        switch end(as: .finished) {
        case .empty, .stored: true
        case .finished, .cancelled: false
        }
    }

    /// Changes the state if it is `empty` or `stored`; returns the former state, to be released outside the lock.
    private func end(as end: State) -> State {
        state.withLock { state in
            switch state {
            case .empty, .stored: exchange(&state, with: end)
            case .finished, .cancelled: state
            }
        }
    }
}

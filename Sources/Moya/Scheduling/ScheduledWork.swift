/// Work that runs at most once and can be cancelled before: the token of every scheduler here.
package final class ScheduledWork: Cancellable {
    private enum State {
        case waiting(@Sendable () -> Void)
        case cancelled
        case started
    }

    private let state: Guarded<State>
    private let onCancel: (@Sendable () -> Void)?

    /// - Parameter onCancel: told when a cancel came in time.
    package init(onCancel: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
        state = Guarded(.waiting(work))
    }

    package var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    package var isWaiting: Bool {
        state.withLock { if case .waiting = $0 { true } else { false } }
    }

    package func run() {
        if case .waiting(let work) = move(to: .started) { work() }
    }

    package func cancel() {
        if case .waiting = move(to: .cancelled) { onCancel?() }
    }

    /// The state before: the work in it is released by the caller, outside the lock.
    private func move(to next: State) -> State {
        state.withLock { state in
            guard case .waiting = state else { return state }
            defer { state = next }
            return state
        }
    }
}

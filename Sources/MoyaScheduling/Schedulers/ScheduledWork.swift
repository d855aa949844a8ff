package final class ScheduledWork: Cancellable {
    private enum State {
        case waiting(@Sendable () -> Void)
        case cancelled
        case started
    }

    private let state: Locked<State>
    private let onCancel: (@Sendable () -> Void)?

    package init(onCancel: (@Sendable () -> Void)? = nil, _ work: @escaping @Sendable () -> Void) {
        self.onCancel = onCancel
        state = Locked(.waiting(work))
    }

    package var isCancelled: Bool {
        state.withLock { if case .cancelled = $0 { true } else { false } }
    }

    package var isWaiting: Bool {
        state.withLock { if case .waiting = $0 { true } else { false } }
    }

    package func run() {
        if case .waiting(let work) = transition(to: .started) { work() }
    }

    package func cancel() {
        if case .waiting = transition(to: .cancelled) { onCancel?() }
    }

    // Returns the former state. It retains the work, so it must be released outside the lock.
    private func transition(to next: State) -> State {
        state.withLock { state in
            guard case .waiting = state else { return state }
            defer { state = next }
            return state
        }
    }
}

/// Stands for a request that may be cancelled before it is known.
final class CancellationSlot: Cancellable {
    private enum State {
        case empty
        case filled(any Cancellable)
        case cancelled
    }

    private let state = Guarded(State.empty)

    var isCancelled: Bool { state.withLock { if case .cancelled = $0 { true } else { false } } }

    /// Cancels `request` at once if the slot is cancelled already.
    func fill(with request: any Cancellable) {
        let isLate = state.withLock { state in
            if case .cancelled = state { return true }
            state = .filled(request)
            return false
        }
        if isLate { request.cancel() }
    }

    func cancel() {
        let request = state.withLock { state -> (any Cancellable)? in
            defer { state = .cancelled }
            return if case .filled(let request) = state { request } else { nil }
        }
        request?.cancel()
    }
}

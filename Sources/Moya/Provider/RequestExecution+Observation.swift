extension RequestExecution {
    /// Reports a step of the request to the observers, for the oldest of its calls.
    ///
    /// - Parameter attempt: the attempt that the step belongs to.
    func notify(_ step: @autoclosure () -> CallStep, attempt: Int) {
        guard context.pipeline.events != nil else { return }
        let call = state.withLock { $0.first ?? $0.others.first }
        call?.observation?.report(step(), attempt: attempt)
    }

    /// Returns a function that reports the exchanges of an attempt; `nil` without observers.
    func exchangeObserver(attempt: Int) -> (@Sendable (CallStep) -> Void)? {
        guard context.pipeline.events != nil else { return nil }
        return { [self] step in notify(step, attempt: attempt) }
    }
}

extension Result where Failure == MoyaError {
    /// The error of a failure.
    var failure: MoyaError? { if case .failure(let error) = self { error } else { nil } }
}

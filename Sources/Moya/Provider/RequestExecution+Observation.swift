extension RequestExecution {
    /// Reports a step of an attempt to the observers.
    ///
    /// If several calls share the request, the step is reported only once, for the oldest call.
    func notify(_ step: @autoclosure () -> CallStep, attempt: Int) {
        guard providerContext.events != nil else { return }
        let call = state.withLock { $0.first ?? $0.others.first }
        call?.observation?.report(step(), attempt: attempt)
    }

    /// Returns a function that reports steps of an attempt to the observers; `nil` if there are no observers.
    func exchangeObserver(attempt: Int) -> (@Sendable (ExchangeStep) -> Void)? {
        guard providerContext.events != nil else { return nil }
        return { [self] step in notify(CallStep(step), attempt: attempt) }
    }
}

extension Result where Failure == MoyaError {
    /// The error; `nil` for a success.
    var failure: MoyaError? { if case .failure(let error) = self { error } else { nil } }
}

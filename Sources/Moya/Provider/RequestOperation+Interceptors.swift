extension RequestOperation {
    // Passes the request through the interceptors, in their order, and sends the adapted request. `adapted` has what
    // each of them has returned.
    func adapt(_ request: TransportRequest, attempt number: Int, adapted: [TransportRequest] = []) {
        let index = adapted.count
        guard index < interceptors.count else { return send(request, attempt: number, adapted: adapted) }
        wait { resume in
            interceptors[index].adapt(request, for: target, resume)
        } then: { [self] result in
            switch result {
            case .success(let request): adapt(request, attempt: number, adapted: adapted + [request])
            case .failure(let error): end(.failure(error))
            }
        }
    }

    /// Lets the interceptors decide about another attempt; delivers the outcome if none of them wants one.
    func decide(_ ended: AttemptEnd, from index: Int = 0) {
        guard index < interceptors.count, let sent = ended.sent else { return deliver(ended) }
        let interceptor = interceptors[index]
        guard interceptor.isAsked(about: ended.result) else { return decide(ended, from: index + 1) }
        let outcome = AttemptOutcome(
            result: ended.result, request: sent, attempt: ended.number,
            retries: state.withLock { $0.retries[index, default: 0] }, target: target, adapted: ended.adapted[index])
        wait { resume in
            interceptor.retry(outcome, resume)
        } then: { [self] decision in
            switch decision {
            case .doNotRetry: decide(ended, from: index + 1)
            case .fail(let error): end(.failure(error))
            case .retry(let delay):
                state.withLock { $0.retries[index, default: 0] += 1 }
                startAgain(after: max(delay, .zero), outcome)
            }
        }
    }

    private func startAgain(after delay: Duration, _ outcome: AttemptOutcome) {
        guard let request = state.withLock({ $0.request }) else { return }
        let refusal = outcome.response.flatMap { $0.statusCode >= 400 ? MoyaError.statusCode($0) : nil }
        notify(.retrying(after: delay, outcome.result.failure ?? refusal), attempt: outcome.attempt)
        wait { resume in
            scheduler.schedule(after: delay) { resume(()) }
        } then: { [self] _ in
            adapt(request, attempt: outcome.attempt + 1)
        }
    }

    // Starts an operation that is cancelled together with the request. `proceed` receives only its first value.
    private func wait<Value: Sendable>(
        _ start: (@escaping @Sendable (Value) -> Void) -> any Cancellable,
        then proceed: @escaping @Sendable (Value) -> Void
    ) {
        let token = SingleAssignmentCancellable()
        guard state.withLock({ $0.wait(token) }) else { return endAbandoned() }
        context.runOnVirtualClock { token.store(start { value in if token.finish() { proceed(value) } }) }
    }
}

extension RequestInterceptor {
    fileprivate func isAsked(about result: Result<Response, MoyaError>) -> Bool {
        switch result {
        // A completed download is not repeated, because its file was already moved to the destination.
        case .success(let response): response.statusCode >= 400 || inspectsSuccesses && response.fileURL == nil
        case .failure(let error): error.kind != .cancelled
        }
    }
}

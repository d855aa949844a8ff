extension RequestOperation {
    /// Passes the request through the interceptors, in their order, and sends the adapted request.
    func adapt(_ request: TransportRequest, attempt number: Int) {
        adapt(request, from: 0) { [self] adapted in send(adapted, attempt: number) }
    }

    private func adapt(
        _ request: TransportRequest, from index: Int, _ done: @escaping @Sendable (TransportRequest) -> Void
    ) {
        guard index < interceptors.count else { return done(request) }
        wait { resume in
            interceptors[index].adapt(request, for: target, resume)
        } then: { [self] result in
            do throws(MoyaError) {
                adapt(try result.get(), from: index + 1, done)
            } catch {
                end(.failure(error))
            }
        }
    }

    /// Sends the request again if an interceptor decides to retry; otherwise ends the request with the result.
    func finish(_ ended: AttemptEnd) {
        guard isSubjectToRetry(ended), let sent = ended.sent else { return deliver(ended) }
        guard enterWait(nil) else { return endAbandoned() }
        let question = AttemptOutcome(
            result: ended.result, request: sent, attempt: ended.number, retries: 0, target: target)
        decide(question, from: 0) { [self] decision in
            switch decision {
            case .doNotRetry: deliver(ended)
            case .fail(let error): end(.failure(error))
            case .retry(let delay): startAgain(after: max(delay, .zero), question)
            }
        }
    }

    // Whether an interceptor may request another attempt: not after a cancellation, a timeout of the last call, a
    // completed download, or a partly delivered response. After other responses with a status code below 400, only
    // interceptors that inspect successes may.
    private func isSubjectToRetry(_ ended: AttemptEnd) -> Bool {
        guard !ended.isDelivered, !ended.isAbandoned else { return false }
        return interceptors.contains { $0.isAsked(about: ended.result) }
    }

    /// Asks the interceptors in order whether to retry, until one returns a decision other than `doNotRetry`.
    private func decide(
        _ outcome: AttemptOutcome, from index: Int, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) {
        guard index < interceptors.count else { return done(.doNotRetry) }
        let interceptor = interceptors[index]
        guard interceptor.isAsked(about: outcome.result) else { return decide(outcome, from: index + 1, done) }
        var question = outcome
        question.retries = state.withLock { $0.retries[index] }
        wait { [question] resume in
            interceptor.retry(question, resume)
        } then: { [self] decision in
            switch decision {
            case .doNotRetry: return decide(outcome, from: index + 1, done)
            case .retry: state.withLock { $0.retries[index] += 1 }
            case .fail: break
            }
            done(decision)
        }
    }

    private func startAgain(after delay: Duration, _ outcome: AttemptOutcome) {
        guard let request = state.withLock({ $0.request }) else { return }
        notify(.retrying(after: delay, outcome.result.failure), attempt: outcome.attempt)
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
        guard enterWait(token) else { return endAbandoned() }
        let first = OneShotFlag()
        token.store(start { value in if first.setIfUnset() { proceed(value) } })
    }

    private func enterWait(_ token: SingleAssignmentCancellable?) -> Bool {
        var leftovers = Leftovers()
        return state.withLock { $0.wait(token, &leftovers) }
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

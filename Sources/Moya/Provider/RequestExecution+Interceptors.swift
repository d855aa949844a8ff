extension RequestExecution {
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

    /// Returns whether an interceptor may request another attempt after the outcome.
    ///
    /// No attempt follows a cancellation, a timeout of the last call, a completed download, or a response that was
    /// partly delivered to the caller.
    /// After any other response with a status code below 400, only interceptors that inspect successes may request one.
    func isSubjectToRetry(_ outcome: Attempt.Outcome) -> Bool {
        guard !outcome.isDelivered, !outcome.isAbandoned else { return false }
        return interceptors.contains { $0.isAsked(about: outcome.result) }
    }

    /// Asks the interceptors in order whether to retry, until one returns a decision other than `doNotRetry`.
    ///
    /// Passes this decision to `done`, or `doNotRetry` if all interceptors return `doNotRetry`.
    func decide(_ outcome: AttemptOutcome, _ done: @escaping @Sendable (RetryDecision) -> Void) {
        decide(outcome, from: 0, done)
    }

    private func decide(
        _ outcome: AttemptOutcome, from index: Int, _ done: @escaping @Sendable (RetryDecision) -> Void
    ) {
        guard index < interceptors.count else { return done(.doNotRetry) }
        let interceptor = interceptors[index]
        guard interceptor.isAsked(about: outcome.result) else { return decide(outcome, from: index + 1, done) }
        var question = outcome
        question.retries = retries(of: index)
        wait { [question] resume in
            interceptor.retry(question, resume)
        } then: { [self] decision in
            switch decision {
            case .doNotRetry: return decide(outcome, from: index + 1, done)
            case .retry: countRetry(of: index)
            case .fail: break
            }
            done(decision)
        }
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

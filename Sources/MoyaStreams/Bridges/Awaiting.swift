import MoyaScheduling

extension Subscribable {
    /// Returns the first value.
    ///
    /// ```swift
    /// let zen = try await provider.request(.zen).mapString().first()
    /// ```
    /// The subscription ends after the first value. Cancelling the task cancels the subscription immediately.
    ///
    /// - Throws: the error of the stream, ``StreamError/noElements`` if it completes without a value, and
    ///   `CancellationError` if the task is cancelled.
    public func first(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let result = FirstResult<Element>()
        let lifetime = Lifetime { error in result.resolve(.failure(error ?? StreamError.noElements)) }
        return try await withTaskCancellationHandler {
            observable.run(
                Observer(lifetime) { element in
                    result.resolve(.success(element))
                    lifetime.finish()
                })
            return try await withCheckedThrowingContinuation { result.resume($0) }
        } onCancel: {
            lifetime.cancel()
            result.resolve(.failure(CancellationError()))
        }
    }

    /// Returns the only value, after the source has completed.
    ///
    /// ```swift
    /// let user = try await provider.request(.user).map(User.self).value()
    /// ```
    /// Cancelling the task cancels the subscription immediately.
    ///
    /// - Throws: the error of the stream, ``StreamError/noElements`` or ``StreamError/moreThanOneElement`` unless the
    ///   source sends exactly one value, and `CancellationError` if the task is cancelled.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let only: Observable<Element> = single()
        return try await only.first()
    }
}

/// Passes the first of several results to a continuation, which may be set before or after that result arrives.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case pending
        case waiting(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    private let state = Locked(State.pending)

    /// Resumes the continuation with the first result; ignores later ones.
    func resolve(_ result: Result<Value, any Error>) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            defer { state = .finished(result) }
            return state
        }
        if case .waiting(let continuation) = former { continuation.resume(with: result) }
    }

    /// Resumes `continuation` with the result, now or when it arrives; called once.
    func resume(_ continuation: CheckedContinuation<Value, any Error>) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            defer { state = .waiting(continuation) }
            return state
        }
        if case .finished(let result) = former { continuation.resume(with: result) }
    }
}

import MoyaScheduling

extension Subscribable {
    /// Returns the first value.
    ///
    /// ```swift
    /// let zen = try await provider.request(.zen).mapString().first()
    /// ```
    /// The subscription ends after the first value. Cancelling the calling task cancels the subscription immediately.
    ///
    /// - Throws: the error of the stream; ``StreamError/noElements`` if the stream completes without a value;
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

    /// Returns the only value after the stream has completed.
    ///
    /// ```swift
    /// let user = try await provider.request(.user).map(User.self).value()
    /// ```
    /// Cancelling the calling task cancels the subscription immediately.
    ///
    /// - Throws: the error of the stream; ``StreamError/noElements`` if the stream completes without a value;
    ///   ``StreamError/moreThanOneElement`` if it sends a second value; `CancellationError` if the task is cancelled.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let only: Observable<Element> = single()
        return try await only.first()
    }
}

/// Resumes a continuation with the first of several results, which may arrive before or after the continuation.
private final class FirstResult<Value: Sendable>: Sendable {
    private enum State: Sendable {
        case pending
        case waiting(CheckedContinuation<Value, any Error>)
        case finished(Result<Value, any Error>)
    }

    private let state = Locked(State.pending)

    /// Stores the first result and resumes the waiting continuation, if there is one; ignores later results.
    func resolve(_ result: Result<Value, any Error>) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            defer { state = .finished(result) }
            return state
        }
        if case .waiting(let continuation) = former { continuation.resume(with: result) }
    }

    /// Resumes `continuation` with the first result, immediately or when the result arrives; called once.
    func resume(_ continuation: CheckedContinuation<Value, any Error>) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            defer { state = .waiting(continuation) }
            return state
        }
        if case .finished(let result) = former { continuation.resume(with: result) }
    }
}

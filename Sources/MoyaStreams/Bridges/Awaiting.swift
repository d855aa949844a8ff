import MoyaScheduling

extension Subscribable {
    /// Waits for the first value.
    ///
    /// ```swift
    /// let zen = try await provider.request(.zen).mapString().first()
    /// ```
    /// The source is released with its first value. Throws its error, ``StreamError/noElements`` if it completes without a
    /// value, and `CancellationError` when the task is cancelled, which cancels the subscription at once.
    public func first(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let outcome = Outcome<Element>()
        let lifetime = Lifetime { error in outcome.settle(.failure(error ?? StreamError.noElements)) }
        return try await withTaskCancellationHandler {
            observable.run(
                Observer(lifetime) { element in
                    outcome.settle(.success(element))
                    lifetime.finish()
                })
            return try await withCheckedThrowingContinuation { outcome.wait($0) }
        } onCancel: {
            lifetime.cancel()
            outcome.settle(.failure(CancellationError()))
        }
    }

    /// Waits for the only value.
    ///
    /// ```swift
    /// let user = try await provider.request(.user).map(User.self).value()
    /// ```
    /// It is there when the source has completed. Throws its error, ``StreamError/noElements`` or
    /// ``StreamError/moreThanOneElement`` if it was not one value, and `CancellationError` when the task is cancelled, which
    /// cancels the subscription at once.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let only: Observable<Element> = single()
        return try await only.first()
    }
}

/// What came out: the first one to say it counts.
private final class Outcome<Value: Sendable>: Sendable {
    private struct State: Sendable {
        var result: Result<Value, any Error>?
        var waiting: CheckedContinuation<Value, any Error>?
    }

    private let state = Locked(State())

    func settle(_ result: Result<Value, any Error>) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, any Error>? in
            guard state.result == nil else { return nil }
            state.result = result
            defer { state.waiting = nil }
            return state.waiting
        }
        waiting?.resume(with: result)
    }

    func wait(_ continuation: CheckedContinuation<Value, any Error>) {
        let result = state.withLock { state in
            if state.result == nil { state.waiting = continuation }
            return state.result
        }
        if let result { continuation.resume(with: result) }
    }
}

extension Subscribable {
    /// Returns the first value.
    ///
    /// ```swift
    /// let zen = try await provider.request(.zen).mapString().first()
    /// ```
    /// In top-level code, call `value()` instead: there, Swift prefers the operator ``first()``, which isn't awaited.
    ///
    /// The subscription ends after the first value. Cancelling the calling task cancels the subscription immediately.
    ///
    /// - Throws: the error of the stream; ``StreamError/noElements`` if the stream completes without a value, or can
    ///   send nothing any more because its source has released it, as `never()` does; `CancellationError` if the task
    ///   is cancelled.
    public func first(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let result = FirstResult<Result<Element, any Error>>()
        let subscription = AwaitedSubscription { error in result.set(.failure(error ?? StreamError.noElements)) }
        return try await withTaskCancellationHandler {
            subscription.start { lifetime in
                observable.run(
                    Observer(lifetime) { element in
                        result.set(.success(element))
                        lifetime.finish()
                    })
            }
            return try await result.value().get()
        } onCancel: {
            subscription.cancel()
            result.set(.failure(CancellationError()))
        }
    }

    /// Returns the first value that meets a condition.
    ///
    /// ```swift
    /// let download = try await provider.requestWithProgress(.archive).first { $0.progress > 0.5 }
    /// ```
    /// - Throws: what ``first(isolation:)`` throws, and an error that `condition` throws.
    public func first(
        where condition: @escaping @Sendable (Element) throws -> Bool, isolation: isolated (any Actor)? = #isolation
    ) async throws -> Element {
        try await filter(condition).first()
    }

    /// Returns the only value after the stream has completed.
    ///
    /// ```swift
    /// let user = try await provider.request(.user).map(User.self).value()
    /// ```
    /// Cancelling the calling task cancels the subscription immediately.
    ///
    /// - Throws: the error of the stream; ``StreamError/noElements`` if the stream completes without a value, or can
    ///   send no completion any more because its source has released it; ``StreamError/moreThanOneElement`` if
    ///   it sends a second value; `CancellationError` if the task is cancelled.
    public func value(isolation: isolated (any Actor)? = #isolation) async throws -> Element {
        let only: Observable<Element> = single()
        return try await only.first()
    }
}

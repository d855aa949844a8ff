extension MoyaProvider {
    /// Sends a request whose completion runs on the main actor.
    ///
    /// ```swift
    /// provider.request(.zen, onMain: { result in label.text = try? result.get().mapString() })
    /// ```
    /// The main queue delivers progress and result, so the process must run the main queue, as apps do. After a cancel
    /// on the main actor, no progress follows, and the completion receives the error `cancelled`.
    ///
    /// - Parameters:
    ///   - target: the target to call.
    ///   - progress: receives how much has been sent or received.
    ///   - completion: receives the outcome, exactly once.
    /// - Returns: a token that cancels the request. Releasing the token does not cancel the request.
    @discardableResult
    public func request(
        _ target: Target, progress: (@MainActor (ProgressResponse) -> Void)? = nil,
        onMain completion: @escaping @MainActor (Result<Response, MoyaError>) -> Void
    ) -> any Cancellable {
        // The result may wait in the main queue while the main actor cancels.
        let token = SingleAssignmentCancellable()
        let progress: ProgressBlock? =
            if let progress {
                { value in MainActor.assumeIsolated { if !token.isCancelled { progress(value) } } }
            } else { nil }
        token.store(
            request(target, callbackQueue: .main, progress: progress) { result in
                MainActor.assumeIsolated { completion(token.finish() ? result : .failure(.cancelled)) }
            })
        return token
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Sends a request for a target of any type; `progress` and `completion` run on the main actor.
    @discardableResult
    public func request(
        _ target: some RelativeTarget, progress: (@MainActor (ProgressResponse) -> Void)? = nil,
        onMain completion: @escaping @MainActor (Result<Response, MoyaError>) -> Void
    ) -> any Cancellable {
        request(MultiTarget(target), progress: progress, onMain: completion)
    }
}

extension MoyaProvider {
    /// Sends a request and waits for its outcome.
    ///
    /// ```swift
    /// let user = try await provider.response(.showUser(id: 7)).filterSuccessfulStatusCodes().map(User.self)
    /// ```
    /// Cancelling the task cancels the request. The method then throws an error of the kind `cancelled`.
    ///
    /// - Throws: the error that `request` would pass to its completion.
    public func response(_ target: Target, progress: ProgressBlock? = nil) async throws(MoyaError) -> Response {
        try await awaitingResult { completion in
            send(
                target, endpoint(target), callbackQueue: nil, runsCallbacks: progress != nil, progress: progress,
                completion: completion)
        }.get()
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Wraps a target of any type in a ``MultiTarget``, sends its request and waits for the outcome.
    public func response(
        _ target: some RelativeTarget, progress: ProgressBlock? = nil
    ) async throws(MoyaError) -> Response {
        try await response(MultiTarget(target), progress: progress)
    }
}

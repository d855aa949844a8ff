extension MoyaProvider {
    /// Sends a request and waits for its outcome.
    ///
    /// ```swift
    /// let user = try await provider.response(.showUser(id: 7)).filterSuccessfulStatusCodes().map(User.self)
    /// ```
    /// Cancelling the task cancels the request. The method then throws an error of the kind `cancelled`.
    ///
    /// The method can be the requirement of your own protocol, which a test double implements, too.
    ///
    /// - Throws: the error that `request` would pass to its completion.
    public func response(_ target: Target) async throws(MoyaError) -> Response {
        try await result(of: target, endpoint(target), nil).get()
    }

    /// Sends a request, reports its progress, and waits for its outcome; otherwise the same as ``response(_:)``.
    public func response(_ target: Target, progress: ProgressBlock?) async throws(MoyaError) -> Response {
        try await result(of: target, endpoint(target), progress).get()
    }

    /// In a cancelled task, neither creates the endpoint nor sends the request.
    func result(
        of target: Target, _ endpoint: @autoclosure () -> Endpoint, _ progress: ProgressBlock?
    ) async -> Result<Response, MoyaError> {
        await awaitingResult { result in
            send(
                target, endpoint(), callbackQueue: nil, runsCallbacks: progress != nil, progress: progress,
                completion: { result.set($0) })
        }
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

// Starts an operation and waits for its result. Cancelling the task cancels the operation, which must still deliver a
// result (of the kind `cancelled`). Doesn't suspend if `start` sets the result before it returns.
func awaitingResult<Value: Sendable>(
    _ start: (FirstResult<Result<Value, MoyaError>>) -> any Cancellable
) async -> Result<Value, MoyaError> {
    if Task.isCancelled { return .failure(.cancelled) }
    let first = FirstResult<Result<Value, MoyaError>>()
    let token = start(first)
    if let result = first.current { return result }
    return await withTaskCancellationHandler {
        await first.value()
    } onCancel: {
        token.cancel()
    }
}

extension MoyaProvider {
    /// Returns a stream of the response to a request: one value, then completion.
    ///
    /// ```text
    /// request(.zen):  ---(r|)
    /// ```
    /// Each subscription sends a request. Cancelling the subscription cancels the request. Fails with a `MoyaError`.
    ///
    /// ```swift
    /// provider.request(.showUser(id: 7)).filterSuccessfulStatusCodes().map(User.self).subscribeNext { print($0) }
    /// ```
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - callbackQueue: the scheduler that delivers the events; `nil` means the provider's callback queue.
    public func request(_ target: Target, callbackQueue: (any Scheduler)? = nil) -> Observable<Response> {
        .withToken { emitter in self.request(target, callbackQueue: callbackQueue) { emitter.end(with: $0) } }
    }

    /// Returns a stream of the progress of a request; the last value contains the response, and completion follows.
    ///
    /// ```text
    /// requestWithProgress(.image):  --{25 %}--{50 %}--{100 %}({response}|)
    /// ```
    /// Each subscription sends a request. Cancelling the subscription cancels the request. Fails with a `MoyaError`.
    public func requestWithProgress(
        _ target: Target, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<ProgressResponse> {
        .withToken { emitter in
            self.request(
                target, callbackQueue: callbackQueue, progress: { emitter.send($0) }
            ) { emitter.end($0.failure) }
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of the response to a request; wraps a target of any type in a `MultiTarget`.
    public func request(_ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil) -> Observable<Response> {
        request(MultiTarget(target), callbackQueue: callbackQueue)
    }

    /// Returns a stream of the progress of a request; wraps a target of any type in a `MultiTarget`.
    public func requestWithProgress(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<ProgressResponse> {
        requestWithProgress(MultiTarget(target), callbackQueue: callbackQueue)
    }
}

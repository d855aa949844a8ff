public import Moya

extension MoyaProvider {
    /// The answer to a request, as a stream: one value, then completion.
    ///
    /// ```text
    /// request(.zen):  ---(r|)
    /// ```
    /// Nothing is sent before somebody subscribes, and each subscription sends a request of its own. Cancelling the
    /// subscription cancels the request. Fails with a `MoyaError`.
    ///
    /// ```swift
    /// provider.request(.showUser(id: 7)).filterSuccessfulStatusCodes().map(User.self).subscribeNext { print($0) }
    /// ```
    /// - Parameters:
    ///   - target: what to call.
    ///   - callbackQueue: where the events are delivered; the provider's if nil.
    public func request(_ target: Target, callbackQueue: (any Scheduler)? = nil) -> Observable<Response> {
        Observable { emitter in
            let call = self.request(target, callbackQueue: callbackQueue) { result in
                switch result {
                case .success(let response):
                    emitter.send(response)
                    emitter.complete()
                case .failure(let error):
                    emitter.fail(error)
                }
            }
            emitter.onTermination { call.cancel() }
        }
    }

    /// The progress of a request, as a stream: what has come so far, last with the response, then completion.
    ///
    /// ```text
    /// requestWithProgress(.image):  --(25 %)--(50 %)--(100 %)(response|)
    /// ```
    /// As cold and as cancellable as `request`.
    public func requestWithProgress(
        _ target: Target, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<ProgressResponse> {
        Observable { emitter in
            let call = self.request(
                target, callbackQueue: callbackQueue, progress: { emitter.send($0) }
            ) { result in
                switch result {
                case .success: emitter.complete()
                case .failure(let error): emitter.fail(error)
                }
            }
            emitter.onTermination { call.cancel() }
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// The answer to a request for a target of any type; see `request`.
    public func request(_ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil) -> Observable<Response> {
        request(MultiTarget(target), callbackQueue: callbackQueue)
    }

    /// The progress of a request for a target of any type; see `requestWithProgress`.
    public func requestWithProgress(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<ProgressResponse> {
        requestWithProgress(MultiTarget(target), callbackQueue: callbackQueue)
    }
}

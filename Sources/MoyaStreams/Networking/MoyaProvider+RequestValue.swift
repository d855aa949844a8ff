public import Moya

extension MoyaProvider {
    /// The value of the response to a request, as a stream: one value, then completion.
    ///
    /// ```text
    /// requestValue(.user("ash")):  ---(u|)
    /// ```
    /// Nothing is sent before the stream is subscribed to, and each subscription sends a request of its own. Cancelling the
    /// subscription cancels the request. Fails with a `MoyaError`, those of `value(_:)`. The response of a transport is decoded
    /// on the provider's scheduler.
    ///
    /// ```swift
    /// provider.requestValue(.user("ash")).subscribeNext { print($0.name) }
    /// ```
    /// - Parameters:
    ///   - target: what to call, with its type.
    ///   - callbackQueue: where the events are delivered; the provider's if `nil`.
    public func requestValue<Value>(
        _ target: TypedTarget<Target, Value>, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Value> {
        Observable { emitter in
            let call = self.requestValue(target, callbackQueue: callbackQueue) { emitter.end(with: $0) }
            emitter.onTermination { call.cancel() }
        }
    }

    /// Not available: the target has no response type.
    @available(
        *, unavailable,
        message: """
            this target has no response type: declare a static function with its name in an extension of TypedTarget, make a \
            struct conform to DecodableTargetType, or use request(_:) for the untyped response
            """
    )
    public func requestValue(_ target: Target, callbackQueue: (any Scheduler)? = nil) -> Observable<Never> { .empty() }
}

extension MoyaProvider where Target: DecodableTargetType {
    /// The value of the response to a request for a target that says its type; see the other `requestValue`.
    public func requestValue(_ target: Target, callbackQueue: (any Scheduler)? = nil) -> Observable<Target.Value> {
        requestValue(target.typed, callbackQueue: callbackQueue)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// The value of the response to a request for a target of any type that says its own; see the other `requestValue`.
    public func requestValue<Typed: DecodableTargetType>(
        _ target: Typed, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Typed.Value> {
        requestValue(target.typed.multiTarget, callbackQueue: callbackQueue)
    }
}

extension Emitter {
    /// Sends a value and completes, or fails.
    func end(with result: Result<Element, MoyaError>) {
        switch result {
        case .success(let value):
            send(value)
            complete()
        case .failure(let error): fail(error)
        }
    }
}

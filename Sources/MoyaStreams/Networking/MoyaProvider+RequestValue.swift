extension MoyaProvider {
    /// Returns a stream of the decoded value of a response: one value, then completion.
    ///
    /// ```text
    /// requestValue(.user("ash")):  ---(u|)
    /// ```
    /// Each subscription sends a request. Cancelling the subscription cancels the request. Fails with a `MoyaError`,
    /// for the same reasons as `value(_:)`. The content is never decoded on a callback queue.
    ///
    /// ```swift
    /// provider.requestValue(.user("ash")).subscribeNext { print($0.name) }
    /// ```
    /// - Parameters:
    ///   - target: the target of the request, which also determines the type of the value.
    ///   - callbackQueue: the scheduler that delivers the events; `nil` means the provider's callback queue.
    public func requestValue<Value>(
        _ target: TypedTarget<Target, Value>, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Value> {
        .withToken { emitter in self.requestValue(target, callbackQueue: callbackQueue) { emitter.end(with: $0) } }
    }

    /// Returns a stream of the value of a response, decoded to a type that the target does not declare.
    ///
    /// ```swift
    /// provider.requestValue(.user("ash"), as: User.self).subscribeNext { print($0.name) }
    /// ```
    /// In all else, the stream is that of `requestValue(_:callbackQueue:)`.
    public func requestValue<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Value> {
        requestValue(TypedTarget<Target, Value>(target), callbackQueue: callbackQueue)
    }

    /// Not available: the target does not declare the type of its response.
    @available(
        *, unavailable,
        message: """
            this target has no response type: declare a static function with its name in an extension of TypedTarget, make a \
            struct conform to DecodableTargetType, name the type, as in requestValue(target, as: User.self), or use request(_:)
            """
    )
    public func requestValue(_ target: Target, callbackQueue: (any Scheduler)? = nil) -> Observable<Never> { .empty() }
}

extension MoyaProvider where Target: DecodableTargetType {
    /// Returns a stream of the decoded value of a response, for a target that declares the type of its response.
    public func requestValue(_ target: Target, callbackQueue: (any Scheduler)? = nil) -> Observable<Target.Value> {
        requestValue(target.typed, callbackQueue: callbackQueue)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of the decoded value of a response; wraps `target` in a `MultiTarget`.
    public func requestValue<Typed: DecodableTargetType>(
        _ target: Typed, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Typed.Value> {
        requestValue(target.typed.multiTarget, callbackQueue: callbackQueue)
    }

    /// Returns a stream of the value of a response, decoded to a type; wraps `target` in a `MultiTarget`.
    @_disfavoredOverload
    public func requestValue<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type, callbackQueue: (any Scheduler)? = nil
    ) -> Observable<Value> {
        requestValue(MultiTarget(target), as: type, callbackQueue: callbackQueue)
    }
}

extension MoyaProvider {
    /// Sends a request, and delivers the value of its response.
    ///
    /// ```swift
    /// provider.requestValue(.user("ash")) { result in
    ///     print((try? result.get().name) ?? "unknown")
    /// }
    /// ```
    /// Content is not decoded on a callback queue, but on a concurrent background queue. If the provider has a callback
    /// queue and its ``ProviderConfiguration/scheduler`` is not `.background`, content is decoded on that scheduler.
    /// If neither the provider nor this call has a callback queue, the completion for an immediate stub is called
    /// before this method returns.
    ///
    /// - Parameters:
    ///   - target: the target, with the type of its response.
    ///   - callbackQueue: the scheduler that delivers the result. If `nil`, the provider's callback queue delivers the
    ///     result. If the provider has none either, the result is delivered on the thread that has decoded it.
    ///   - completion: receives the value or an error, exactly once. `value(_:)` documents the errors.
    /// - Returns: a token that cancels the request. Releasing the token does not cancel the request. If the request is
    ///   cancelled after the response has arrived, the response is not decoded.
    @discardableResult
    public func requestValue<Value>(
        _ target: TypedTarget<Target, Value>, callbackQueue: (any Scheduler)? = nil,
        completion: @escaping @Sendable (Result<Value, MoyaError>) -> Void
    ) -> any Cancellable {
        requestValue(
            target, endpoint(target), deliveryQueue: callbackQueue ?? configuration.callbackQueue,
            completion: completion)
    }

    /// Sends a request and delivers the value of its response, decoded from JSON to a type that the call names.
    ///
    /// ```swift
    /// provider.requestValue(.user("ash"), as: User.self) { result in print(result) }
    /// ```
    /// In all else, the method does the same as `requestValue(_:callbackQueue:completion:)`.
    @discardableResult
    public func requestValue<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, callbackQueue: (any Scheduler)? = nil,
        completion: @escaping @Sendable (Result<Value, MoyaError>) -> Void
    ) -> any Cancellable {
        requestValue(TypedTarget<Target, Value>(target), callbackQueue: callbackQueue, completion: completion)
    }

    func requestValue<Value>(
        _ target: TypedTarget<Target, Value>, _ endpoint: Endpoint, deliveryQueue: (any Scheduler)?,
        completion: @escaping @Sendable (Result<Value, MoyaError>) -> Void
    ) -> any Cancellable {
        let (decoding, mapping, validation) = (decoding, target.mapping, target.target.validationType)
        let call = SingleAssignmentCancellable()
        // Content is not decoded on the callback queue, which may be the main queue.
        let decodingQueue = configuration.callbackQueue.map { _ in providerContext.scheduler }
        call.store(
            send(target.target, endpoint, callbackQueue: decodingQueue, progress: nil) { result in
                let value: Result<Value, MoyaError> =
                    call.isCancelled
                    ? .failure(.cancelled)
                    : Result { () throws(MoyaError) in try decoding.value(of: result, mapping, validation) }
                // A call that was cancelled while its response was mapped fails, too.
                let outcome = call.finish() ? value : .failure(.cancelled)
                guard let deliveryQueue else { return completion(outcome) }
                deliveryQueue.schedule { completion(outcome) }
            })
        return call
    }
}

extension MoyaProvider where Target: DecodableTargetType {
    /// Sends a request for a target that declares the type of its response, and delivers the value.
    @discardableResult
    public func requestValue(
        _ target: Target, callbackQueue: (any Scheduler)? = nil,
        completion: @escaping @Sendable (Result<Target.Value, MoyaError>) -> Void
    ) -> any Cancellable {
        requestValue(target.typed, callbackQueue: callbackQueue, completion: completion)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Sends a request for a target of any type, and delivers the value that the call names.
    @discardableResult
    @_disfavoredOverload
    public func requestValue<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type, callbackQueue: (any Scheduler)? = nil,
        completion: @escaping @Sendable (Result<Value, MoyaError>) -> Void
    ) -> any Cancellable {
        requestValue(MultiTarget(target), as: type, callbackQueue: callbackQueue, completion: completion)
    }

    /// Sends a request for any target that declares the type of its response, and delivers the value.
    @discardableResult
    public func requestValue<Typed: DecodableTargetType>(
        _ target: Typed, callbackQueue: (any Scheduler)? = nil,
        completion: @escaping @Sendable (Result<Typed.Value, MoyaError>) -> Void
    ) -> any Cancellable {
        requestValue(target.typed.multiTarget, callbackQueue: callbackQueue, completion: completion)
    }
}

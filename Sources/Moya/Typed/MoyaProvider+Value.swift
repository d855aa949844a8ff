import Foundation

extension MoyaProvider {
    /// Sends a request and waits for the value of its response.
    ///
    /// ```swift
    /// let user = try await provider.value(.user("ash"))
    /// ```
    /// ``TypedTarget`` shows how to declare the response type for a case of an enum. The provider's
    /// ``ResponseDecoding`` decodes the content. Decoding runs neither on the transport's thread nor on the main actor.
    /// If several calls share an in-flight request, each call decodes the content itself. Cancelling the task cancels
    /// the request; decoding is cancelled only if it has not started.
    ///
    /// - Parameters:
    ///   - target: the target, with the type of its response.
    ///   - progress: receives the number of bytes that were sent or received, see ``ProgressResponse``.
    /// - Throws: a `MoyaError`. Its kind is `http` if the status code is not accepted (the default accepts 200 to
    ///   299), and `decoding` if the content cannot be decoded. Other errors are those of `request`.
    @concurrent
    public func value<Value>(
        _ target: TypedTarget<Target, Value>, progress: ProgressBlock? = nil
    ) async throws(MoyaError) -> Value {
        let result = await result(of: target.target, endpoint(target), progress)
        if Task.isCancelled { throw .cancelled }
        return try decoding.value(of: result, target.mapping, target.target.validationType)
    }

    /// Sends a request and waits for the value of its response, decoded from JSON to a type that the call names.
    ///
    /// For the types `String` and `Data`, the value is the content itself, as with a ``TypedTarget``.
    ///
    /// ```swift
    /// let user = try await provider.value(.user("ash"), as: User.self)
    /// ```
    /// The content is decoded where the caller runs, so that `User` needs no `nonisolated` in a module whose default
    /// isolation is the main actor. On the main actor, a megabyte of JSON takes some 50 ms. Then declare a
    /// ``TypedTarget``, whose content is decoded elsewhere.
    ///
    /// - Parameters:
    ///   - target: the target.
    ///   - type: the type that the content is decoded to.
    ///   - progress: receives the number of bytes that were sent or received, see ``ProgressResponse``.
    /// - Throws: the errors of `value(_:)`.
    nonisolated(nonsending)
        public func value<Value: Decodable>(
            _ target: Target, as type: Value.Type, progress: ProgressBlock? = nil
        ) async throws(MoyaError) -> Value
    {
        try await valueAndResponse(target, as: type, progress: progress).value
    }

    /// Sends a request and waits for the response and its value, decoded from JSON to a type that the call names.
    ///
    /// The content is decoded where the caller runs, as with `value(_:as:)`.
    ///
    /// - Throws: the errors of `value(_:)`.
    nonisolated(nonsending)
        public func valueAndResponse<Value: Decodable>(
            _ target: Target, as type: Value.Type, progress: ProgressBlock? = nil
        ) async throws(MoyaError) -> (value: Value, response: Response)
    {
        let isJSON = !(type is String.Type) && !(type is Data.Type)
        let result = await result(of: target, endpoint(target).accepting(isJSON ? "application/json" : nil), progress)
        if Task.isCancelled { throw .cancelled }
        let response = try decoding.accepted(result, target.validationType)
        if type is Data.Type, let data = response.data as? Value { return (data, response) }
        if type is String.Type, let text = try response.mapString() as? Value { return (text, response) }
        return (try response.decoded(at: nil, using: decoding.makeDecoder()), response)
    }

    /// Sends a request and waits for the value of its response and for the response itself.
    ///
    /// ```swift
    /// let (user, response) = try await provider.valueAndResponse(.user("ash"))
    /// print(response.headers["X-RateLimit-Remaining"] ?? "")
    /// ```
    /// - Throws: the errors of `value(_:)`.
    @concurrent
    public func valueAndResponse<Value>(
        _ target: TypedTarget<Target, Value>, progress: ProgressBlock? = nil
    ) async throws(MoyaError) -> (value: Value, response: Response) {
        try await value(
            TypedTarget<Target, (value: Value, response: Response)>(target.target, target.mapping.withResponse),
            progress: progress)
    }

    func endpoint<Value>(_ target: TypedTarget<Target, Value>) -> Endpoint {
        endpoint(target.target).accepting(target.mapping.accept)
    }
}

extension MoyaProvider where Target: DecodableTargetType {
    /// Sends a request for a target that declares the type of its response, and waits for the value.
    @concurrent
    public func value(_ target: Target, progress: ProgressBlock? = nil) async throws(MoyaError) -> Target.Value {
        try await value(target.typed, progress: progress)
    }

    /// Sends a request for a target that declares the type of its response, and waits for the value and the response.
    @concurrent
    public func valueAndResponse(
        _ target: Target, progress: ProgressBlock? = nil
    ) async throws(MoyaError) -> (value: Target.Value, response: Response) {
        try await valueAndResponse(target.typed, progress: progress)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Wraps a target of any type in a ``MultiTarget``, and waits for the value of its response.
    @_disfavoredOverload
    nonisolated(nonsending)
        public func value<Value: Decodable>(
            _ target: some RelativeTarget, as type: Value.Type, progress: ProgressBlock? = nil
        ) async throws(MoyaError) -> Value
    {
        try await value(MultiTarget(target), as: type, progress: progress)
    }

    /// Wraps a target of any type in a ``MultiTarget``, and waits for the response and its value.
    @_disfavoredOverload
    nonisolated(nonsending)
        public func valueAndResponse<Value: Decodable>(
            _ target: some RelativeTarget, as type: Value.Type, progress: ProgressBlock? = nil
        ) async throws(MoyaError) -> (value: Value, response: Response)
    {
        try await valueAndResponse(MultiTarget(target), as: type, progress: progress)
    }

    /// Sends a request for any target that declares the type of its response, and waits for the value.
    @concurrent
    public func value<Typed: DecodableTargetType>(
        _ target: Typed, progress: ProgressBlock? = nil
    ) async throws(MoyaError) -> Typed.Value {
        try await value(target.typed.multiTarget, progress: progress)
    }

    /// Sends a request for any target that declares the type of its response, and waits for the value and the response.
    @concurrent
    public func valueAndResponse<Typed: DecodableTargetType>(
        _ target: Typed, progress: ProgressBlock? = nil
    ) async throws(MoyaError) -> (value: Typed.Value, response: Response) {
        try await valueAndResponse(target.typed.multiTarget, progress: progress)
    }
}

extension Endpoint {
    func accepting(_ mediaTypes: String?) -> Endpoint {
        guard let mediaTypes, headers["Accept"] == nil else { return self }
        return adding(newHTTPHeaderFields: ["Accept": mediaTypes])
    }
}

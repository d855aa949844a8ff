extension MoyaProvider {
    /// A closure that receives the parts of a response.
    public typealias PartBlock = @Sendable (ResponsePart) -> Void

    /// Sends a request and delivers the response as it arrives, without storing its content.
    ///
    /// Plugins, interceptors, redirects and deadlines apply as with `request`. Interceptors cannot repeat the request
    /// after the head of a response was delivered. If the target's validation rejects a response, no part of the
    /// response is delivered. The request then fails, and the error contains the response with at most about 64 KiB
    /// of its content.
    ///
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - callbackQueue: the scheduler that calls both closures; if `nil`, the provider's `callbackQueue`, or without
    ///     one, the thread that has received the event.
    ///   - window: the number of delivered but unacknowledged bytes at which reading stops;
    ///     ``TransportExchange/acknowledge(_:)`` acknowledges bytes. If `nil`, content is acknowledged when `receive`
    ///     has returned, and reading stops while 256 MiB wait for that; ``ProviderConfiguration/maximumResponseSize``
    ///     changes or lifts this limit. A transport without backpressure continues to read, see
    ///     ``TransportRequest/Delivery/chunks(window:)``.
    ///   - receive: receives the head, then the content.
    ///   - completion: receives the result, exactly once, after the last part. A successful response has no data.
    /// - Returns: the exchange, which cancels the request and acknowledges consumed content.
    @discardableResult
    public func requestStream(
        _ target: Target, callbackQueue: (any Scheduler)? = nil, window: Int? = nil, receive: @escaping PartBlock,
        completion: @escaping Completion
    ) -> any TransportExchange {
        stream(target, callbackQueue: callbackQueue, window: window, receive, completion)
    }

    /// Sends a request and waits for the head of its response; the content can be iterated afterwards.
    ///
    /// ```swift
    /// let response = try await provider.streamedResponse(.log)
    /// for try await line in response.lines() { print(line) }
    /// ```
    /// Reading from the connection pauses while 256 KiB of received content are not yet iterated. Cancelling the task
    /// that waits or iterates cancels the request. So does releasing the response and all its iterators.
    ///
    /// - Throws: the error that `request` would report.
    public func streamedResponse(_ target: Target) async throws(MoyaError) -> StreamedResponse {
        try await streamedResponse(target, isEventStream: false)
    }

    func streamedResponse(_ target: Target, isEventStream: Bool) async throws(MoyaError) -> StreamedResponse {
        let content = StreamedContentBuffer()
        let head = await awaitingResult { head in
            let exchange = stream(
                target, isEventStream: isEventStream, callbackQueue: nil, runsCallbacks: false,
                window: StreamOptions.defaultWindow
            ) { [weak content] part in
                switch part {
                case .head(let received): head.set(.success(received))
                case .chunk(let data): content?.append(data)
                }
            } _: { [weak content] result in
                content?.end(result.failure)
                head.set(result.map(ResponseHead.init(of:)))
            }
            content.attach(exchange)
            return exchange
        }
        return StreamedResponse(head: try head.get(), content: content)
    }

    /// `headers` replace fields of the endpoint with the same name, and `eventStreamIdle` is used if user code has set
    /// no idle timeout (`nil`: no limit).
    package func stream(
        _ target: Target, headers: [String: String] = [:], isEventStream: Bool = false,
        callbackQueue: (any Scheduler)?, runsCallbacks: Bool = true, window: Int?, eventStreamIdle: Duration? = nil,
        _ receive: @escaping PartBlock, _ completion: @escaping Completion
    ) -> any TransportExchange {
        send(
            target,
            endpoint(target).adding(newHTTPHeaderFields: headers).accepting(isEventStream ? "text/event-stream" : nil),
            callbackQueue: callbackQueue,
            stream: StreamOptions(window: window, eventStreamIdle: eventStreamIdle, isEventStream: isEventStream),
            receive: receive, runsCallbacks: runsCallbacks, progress: nil, completion: completion)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Wraps a target of any type in a ``MultiTarget``, sends its request and delivers the response as it arrives.
    @discardableResult
    public func requestStream(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil, window: Int? = nil,
        receive: @escaping PartBlock, completion: @escaping Completion
    ) -> any TransportExchange {
        requestStream(
            MultiTarget(target), callbackQueue: callbackQueue, window: window, receive: receive, completion: completion)
    }

    /// Wraps a target of any type in a ``MultiTarget``, sends its request and waits for the head of its response.
    public func streamedResponse(_ target: some RelativeTarget) async throws(MoyaError) -> StreamedResponse {
        try await streamedResponse(MultiTarget(target))
    }
}

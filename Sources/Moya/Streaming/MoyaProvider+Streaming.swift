public import Foundation

/// A part of an answer that is delivered as it arrives.
public enum ResponsePart: Sendable {
    /// The head, first.
    case head(ResponseHead)
    /// Content, in order.
    case chunk(Data)
}

extension MoyaProvider {
    /// Takes a part of an answer.
    public typealias PartBlock = @Sendable (ResponsePart) -> Void

    /// Sends a request whose answer is delivered as it arrives, and not kept.
    ///
    /// Plugins, interceptors, redirects and deadlines are as with `request`; interceptors repeat only what has not begun to
    /// be delivered. An answer that the target's validation refuses is not delivered: it is a failure whose response has up to
    /// 64 KiB of the content.
    ///
    /// - Parameters:
    ///   - target: what to call.
    ///   - callbackQueue: where parts and result are delivered; the provider's if nil.
    ///   - window: reading stops when so many bytes were delivered and not
    ///     ``TransportExchange/consumed(_:)``; nil: it never does. An engine without backpressure reads on, see
    ///     ``TransportRequest/Delivery/chunks(window:)``.
    ///   - receive: told the head, then the content.
    ///   - completion: told the outcome, exactly once, after the last part; its response has no data.
    /// - Returns: the way to cancel, and to give credit back.
    @discardableResult
    public func requestStream(
        _ target: Target, callbackQueue: (any Scheduler)? = nil, window: Int? = nil, receive: @escaping PartBlock,
        completion: @escaping Completion
    ) -> any TransportExchange {
        stream(target, headers: [:], callbackQueue: callbackQueue, window: window, receive, completion)
    }

    /// Sends a request and waits for the head of its answer; the content is read as fast as it is iterated.
    ///
    /// ```swift
    /// let answer = try await provider.streamedResponse(.log)
    /// for try await line in answer.lines() { print(line) }
    /// ```
    /// Without an iterating reader, the server is held back after 256 KiB. Cancelling the task, or letting go of the response
    /// and its iterators, cancels the request.
    ///
    /// - Throws: what `request` reports as a failure.
    public func streamedResponse(_ target: Target) async throws(MoyaError) -> StreamedResponse {
        try await streamedResponse(target, accept: nil)
    }

    /// - Parameter accept: the header field `Accept`, unless the target has one.
    func streamedResponse(_ target: Target, accept: String?) async throws(MoyaError) -> StreamedResponse {
        if Task.isCancelled { throw .cancelled }
        let content = StreamedContent()
        content.attach(
            stream(
                target, headers: [:], accept: accept, callbackQueue: nil, window: StreamedContent.window,
                { content.receive($0) }, { content.end($0) }))
        let head = await withTaskCancellationHandler {
            await content.head()
        } onCancel: {
            content.cancel()
        }
        return StreamedResponse(head: try head.get(), content: content)
    }

    /// - Parameters:
    ///   - headers: more header fields.
    ///   - accept: the header field `Accept`, unless the target has one.
    package func stream(
        _ target: Target, headers: [String: String], accept: String? = nil, callbackQueue: (any Scheduler)?,
        window: Int?, _ receive: @escaping PartBlock, _ completion: @escaping Completion
    ) -> any TransportExchange {
        send(
            target, endpoint(target).adding(newHTTPHeaderFields: headers).accepting(accept),
            callbackQueue: callbackQueue, sink: StreamSink(window: window, receive: receive), progress: nil,
            completion: completion)
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Sends a request for a target of any type, whose answer is delivered as it arrives; see `requestStream`.
    @discardableResult
    public func requestStream(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil, window: Int? = nil,
        receive: @escaping PartBlock, completion: @escaping Completion
    ) -> any TransportExchange {
        requestStream(
            MultiTarget(target), callbackQueue: callbackQueue, window: window, receive: receive, completion: completion)
    }

    /// Sends a request for a target of any type and waits for the head of its answer; see `streamedResponse`.
    public func streamedResponse(_ target: some RelativeTarget) async throws(MoyaError) -> StreamedResponse {
        try await streamedResponse(MultiTarget(target))
    }
}

public import Foundation

extension MoyaProvider {
    /// Returns a stream of the content of a response, in chunks as they arrive.
    ///
    /// ```text
    /// requestStream(.log):  --{chunk}----{chunk}-{chunk}|
    /// ```
    /// Each subscription sends a request. Cancelling the subscription cancels the request. Fails if the target's
    /// validation refuses the status code; a target without validation accepts each status code.
    ///
    /// Reading pauses while 256 MiB of content wait to be delivered. `ProviderConfiguration.maximumResponseSize`
    /// changes or lifts this limit, which does not count what an operator or an iterator buffers after the delivery.
    /// To read only as fast as you iterate, use `streamedResponse(_:)`.
    ///
    /// ```swift
    /// provider.requestStream(.log).lines().subscribeNext { print($0) }
    /// ```
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - callbackQueue: the scheduler that delivers the events; `nil` means the provider's callback queue.
    ///   - onHead: receives the status code and the header fields of the response, before the content.
    public func requestStream(
        _ target: Target, callbackQueue: (any Scheduler)? = nil,
        onHead: @escaping @Sendable (ResponseHead) -> Void = { _ in }
    ) -> Observable<Data> {
        requestStream(target, isEventStream: false, callbackQueue: callbackQueue, onHead: onHead)
    }

    func requestStream(
        _ target: Target, headers: [String: String] = [:], isEventStream: Bool, callbackQueue: (any Scheduler)? = nil,
        eventStreamIdle: Duration? = nil, onHead: @escaping @Sendable (ResponseHead) throws -> Void
    ) -> Observable<Data> {
        .withToken { emitter in
            self.stream(
                target, headers: headers, isEventStream: isEventStream, callbackQueue: callbackQueue, window: nil,
                eventStreamIdle: eventStreamIdle,
                { part in
                    switch part {
                    case .head(let head): do { try onHead(head) } catch { emitter.fail(error) }
                    case .chunk(let data): emitter.send(data)
                    }
                },
                { emitter.end($0.failure) })
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of the content of a response; wraps a target of any type in a `MultiTarget`.
    public func requestStream(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil,
        onHead: @escaping @Sendable (ResponseHead) -> Void = { _ in }
    ) -> Observable<Data> {
        requestStream(MultiTarget(target), callbackQueue: callbackQueue, onHead: onHead)
    }
}

/// Operators that parse content, which may be split into chunks at any position.
extension Subscribable {
    /// Splits the content into lines of UTF-8 text, which end with LF, CR LF or CR.
    ///
    /// ```text
    /// chunks:   --{ab}----{c\nd}---{\r}-{\n}-|
    /// lines():  -------{abc}---{d}---|
    /// ```
    /// Fails with `StreamingError` if a line is longer than `maximumLength`. Buffers an incomplete line.
    ///
    /// - Parameter maximumLength: the maximum length of a line in bytes.
    public func lines(maximumLength: Int = 1 << 20) -> Observable<String> where Element == Data {
        parsed { LineParser(maximumLength: maximumLength) }
    }

    /// Parses server-sent events (WHATWG HTML, section 9.2).
    ///
    /// Fails with `StreamingError` if an event is longer than `maximumLength`. Buffers an incomplete event, which is
    /// dropped at the end of the content.
    ///
    /// ```swift
    /// provider.requestStream(.prices).serverSentEvents().subscribeNext { print($0.event, $0.data) }
    /// ```
    /// - Parameter maximumLength: the maximum length of an event in bytes.
    public func serverSentEvents(maximumLength: Int = 1 << 20) -> Observable<ServerSentEvent> where Element == Data {
        parsed { EventStreamParser(maximumLength: maximumLength) }
    }

    /// Decodes a value from each line of JSON.
    ///
    /// Blank lines are skipped. Fails with the error of the decoder, or with `StreamingError` if a line is longer than
    /// `maximumLength`. Buffers an incomplete line.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - decoder: decodes the values.
    ///   - maximumLength: the maximum length of a line in bytes.
    public func jsonLines<Value: Decodable & Sendable>(
        _ type: Value.Type, using decoder: JSONDecoder = JSONDecoder(), maximumLength: Int = 1 << 20
    ) -> Observable<Value> where Element == Data {
        lines(maximumLength: maximumLength).compactMap { try decoder.decode(type, fromLine: $0) }
    }

    func parsed<Parser: ChunkParser>(
        by makeParser: @escaping @Sendable () -> Parser
    ) -> Observable<Parser.Output> where Element == Data {
        let chunks = observable.map { chunk -> Data? in chunk }
        return Observable.deferred {
            let parser = Locked(makeParser())
            // `nil` marks the end of the content.
            return Observable<Data?>.concat([chunks, .just(nil)]).concatMap { chunk in
                var values: [Parser.Output] = []
                do {
                    try parser.withLock { parser in
                        if let chunk { try parser.add(chunk, to: &values) } else { values = try parser.finish() }
                    }
                } catch {
                    return .concat([.from(values), .error(error)])
                }
                return .from(values)
            }
        }
    }
}

import Foundation

extension MoyaProvider {
    /// Returns a stream of values, each decoded from the JSON data of a server-sent event.
    ///
    /// Each subscription sends a request. Cancelling the subscription cancels the request. Each event is decoded as
    /// soon as it arrives, with the provider's `ResponseDecoding`. Fails with a `MoyaError`. The error has the kind
    /// `http` if the status code is not accepted, and the kind `decoding` if data cannot be decoded. This stream has no
    /// backpressure. If you need backpressure, use the asynchronous sequence `events(_:as:)`.
    ///
    /// The server may be silent for any time unless you set `Timeouts.idle`; a longer silence then fails the stream.
    ///
    /// ```swift
    /// provider.requestEvents(.prices, as: Price.self).subscribeNext { print($0.amount) }
    /// ```
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - type: the type of the values.
    ///   - isIncluded: whether an event is decoded; other events are dropped.
    ///   - maximumLength: the maximum length of an event in bytes.
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true }, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        values(target, of: type, EventStreamParser(maximumLength: maximumLength), isEventStream: true) { event in
            isIncluded(event) ? event.data : nil
        }
    }

    /// Returns a stream of the decoded values of server-sent events, which reconnects when a connection ends.
    ///
    /// The method `serverSentEvents(_:reconnecting:on:maximumLength:)` documents the rules of reconnecting. If data
    /// cannot be decoded, the stream fails with an error of the kind `decoding` and does not reconnect.
    ///
    /// ```swift
    /// let policy = RetryPolicy.exponential(initial: .seconds(1), times: 8)
    /// let prices = provider.requestEvents(.prices, as: Price.self, reconnecting: policy, on: .background)
    /// for try await price in prices.values {
    ///     print(price.amount)
    /// }
    /// ```
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true },
        reconnecting policy: RetryPolicy, on scheduler: any Scheduler, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        Observable.deferred { [decoding] in
            let decoder = decoding.makeDecoder()
            return self.eventsWithHeads(target, policy, scheduler, maximumLength)
                .filter { isIncluded($0.event) }
                .map { try Response($0.head, Data($0.event.data.utf8)).map(type, using: decoder) }
        }
    }

    /// Returns a stream of the values of a response that has one JSON text on each line.
    ///
    /// Lines are decoded with the provider's `ResponseDecoding`; empty lines are skipped. Each subscription sends a
    /// request. Cancelling the subscription cancels the request. Fails with the same errors as `requestEvents(_:as:)`.
    ///
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - type: the type of the values.
    ///   - maximumLength: the maximum length of a line in bytes.
    public func requestJSONLines<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        values(target, of: type, LineParser(maximumLength: maximumLength), isEventStream: false) { line in
            line.isBlank ? nil : line
        }
    }

    private func values<Base: ChunkParser, Value: Decodable & Sendable>(
        _ target: Target, of type: Value.Type, _ base: Base, isEventStream: Bool,
        _ text: @escaping @Sendable (Base.Output) -> String?
    ) -> Observable<Value> {
        Observable.deferred {
            let head = Locked<ResponseHead?>(nil)
            return self.requestStream(target, isEventStream: isEventStream) { received in
                head.withLock { $0 = received }
            }
            .parsed {
                self.parser(
                    target, of: type, base, isEventStream: isEventStream, head: { head.withLock { $0 } }, text)
            }
            .mapError { [self] error in decodingErrorBody(of: MoyaError(wrapping: error)) }
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Returns a stream of the values of server-sent events; wraps a target of any type in a `MultiTarget`.
    @_disfavoredOverload
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true }, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        requestEvents(MultiTarget(target), as: type, where: isIncluded, maximumLength: maximumLength)
    }

    /// Returns a stream of the decoded values of server-sent events, which reconnects when a connection ends.
    ///
    /// Wraps a target of any type in a `MultiTarget`.
    @_disfavoredOverload
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true },
        reconnecting policy: RetryPolicy, on scheduler: any Scheduler, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        requestEvents(
            MultiTarget(target), as: type, where: isIncluded, reconnecting: policy, on: scheduler,
            maximumLength: maximumLength)
    }

    /// Returns a stream of the values of JSON lines; wraps a target of any type in a `MultiTarget`.
    @_disfavoredOverload
    public func requestJSONLines<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        requestJSONLines(MultiTarget(target), as: type, maximumLength: maximumLength)
    }
}

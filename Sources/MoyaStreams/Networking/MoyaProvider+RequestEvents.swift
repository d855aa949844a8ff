import Foundation
public import Moya

extension MoyaProvider {
    /// The values of a stream of server-sent events, decoded from JSON with the provider's `ResponseDecoding`.
    ///
    /// As cold and as cancellable as `request`. Fails with a `MoyaError`: of the kind `http` for a status code that is not
    /// accepted, of the kind `decoding` for data that cannot be decoded. The content is decoded as it comes; what holds a fast
    /// server back is the sequence `events(_:as:)`.
    ///
    /// ```swift
    /// provider.requestEvents(.prices, as: Price.self).subscribeNext { print($0.amount) }
    /// ```
    /// - Parameters:
    ///   - target: what to call.
    ///   - type: what the data of each event is decoded to.
    ///   - isIncluded: whether an event is decoded; others are left out.
    ///   - maximumLength: how long an event may be, in bytes.
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true }, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        values(target, accept: "text/event-stream") { head in
            self.eventParser(target, of: type, where: isIncluded, maximumLength, head: head)
        }
    }

    /// The values of a stream of server-sent events that is connected to again whenever it ends.
    ///
    /// See `serverSentEvents(_:reconnecting:on:)` for when. Data that cannot be decoded is a failure of the kind `decoding`,
    /// without another connection.
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true },
        reconnecting policy: RetryPolicy, on scheduler: any Scheduler, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        Observable.deferred { [decoding] in
            let decoder = decoding.makeDecoder()
            return self.serverSentEvents(target, reconnecting: policy, on: scheduler, maximumLength: maximumLength)
                .filter(isIncluded)
                .map { event in
                    do {
                        return try decoder.decode(type, from: Data(event.data.utf8))
                    } catch {
                        throw MoyaError.objectMapping(error, Response(statusCode: 200, data: Data()))
                    }
                }
        }
    }

    /// The values of JSON texts, one on each line, decoded with the provider's `ResponseDecoding`; empty lines are left out.
    ///
    /// As cold and as cancellable as `request`; fails as `requestEvents`.
    ///
    /// - Parameters:
    ///   - target: what to call.
    ///   - type: what each line is decoded to.
    ///   - maximumLength: how long a line may be, in bytes.
    public func requestJSONLines<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        values(target, accept: nil) { head in self.jsonLinesParser(target, of: type, maximumLength, head: head) }
    }

    private func values<Parser: ChunkParser>(
        _ target: Target, accept: String?,
        _ makeParser: @escaping @Sendable (@escaping @Sendable () -> ResponseHead?) -> Parser
    ) -> Observable<Parser.Output> {
        Observable.deferred {
            let head = LockedBox<ResponseHead?>(nil)
            return self.requestStream(
                target, headers: [:], accept: accept, callbackQueue: nil, onHead: { head.value = $0 }
            )
            .parsed { makeParser { head.value } }
            .mapError { [self] error in refusal(MoyaError(ending: error)) }
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// The values of a stream of server-sent events for a target of any type; see the other `requestEvents`.
    @_disfavoredOverload
    public func requestEvents<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true }, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        requestEvents(MultiTarget(target), as: type, where: isIncluded, maximumLength: maximumLength)
    }

    /// The values of JSON texts, one on each line, for a target of any type; see the other `requestJSONLines`.
    @_disfavoredOverload
    public func requestJSONLines<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type, maximumLength: Int = 1 << 20
    ) -> Observable<Value> {
        requestJSONLines(MultiTarget(target), as: type, maximumLength: maximumLength)
    }
}

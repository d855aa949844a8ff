public import Foundation
public import Moya

extension MoyaProvider {
    /// The content of an answer, chunk by chunk as it arrives.
    ///
    /// ```text
    /// requestStream(.log):  --(chunk)----(chunk)-(chunk)|
    /// ```
    /// As cold and as cancellable as `request`. An answer that the target's validation refuses fails; others are streamed,
    /// whatever their status code. The content is taken as it comes: what holds a fast server back is
    /// `streamedResponse(_:)`.
    ///
    /// ```swift
    /// provider.requestStream(.log).lines().subscribeNext { print($0) }
    /// ```
    /// - Parameters:
    ///   - target: what to call.
    ///   - callbackQueue: where the events are delivered; the provider's if nil.
    ///   - onHead: told the head of the answer, before its content.
    public func requestStream(
        _ target: Target, callbackQueue: (any Scheduler)? = nil,
        onHead: @escaping @Sendable (ResponseHead) -> Void = { _ in }
    ) -> Observable<Data> {
        requestStream(target, headers: [:], callbackQueue: callbackQueue, onHead: onHead)
    }

    func requestStream(
        _ target: Target, headers: [String: String], accept: String? = nil, callbackQueue: (any Scheduler)?,
        onHead: @escaping @Sendable (ResponseHead) throws -> Void
    ) -> Observable<Data> {
        Observable { emitter in
            let call = self.stream(
                target, headers: headers, accept: accept, callbackQueue: callbackQueue, window: nil,
                { part in
                    switch part {
                    case .head(let head): do { try onHead(head) } catch { emitter.fail(error) }
                    case .chunk(let data): emitter.send(data)
                    }
                },
                { result in
                    switch result {
                    case .success: emitter.complete()
                    case .failure(let error): emitter.fail(error)
                    }
                })
            emitter.onTermination { call.cancel() }
        }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// The content of an answer for a target of any type; see `requestStream`.
    public func requestStream(
        _ target: some RelativeTarget, callbackQueue: (any Scheduler)? = nil,
        onHead: @escaping @Sendable (ResponseHead) -> Void = { _ in }
    ) -> Observable<Data> {
        requestStream(MultiTarget(target), callbackQueue: callbackQueue, onHead: onHead)
    }
}

/// Content that comes in chunks, wherever these were cut.
extension Subscribable {
    /// The content's lines of text in UTF-8, without their ends: LF, CR LF or CR.
    ///
    /// ```text
    /// chunks:   --(ab)----(c\nd)---(\r)-(\n)-|
    /// lines():  -----------(abc)---(d)-------|
    /// ```
    /// Fails with `StreamingError` when a line is longer than the limit. Buffers what has come of a line.
    ///
    /// - Parameter maximumLength: of how many bytes a line may be.
    public func lines(maximumLength: Int = 1 << 20) -> Observable<String> where Element == Data {
        parsed { LineParser(maximumLength: maximumLength) }
    }

    /// The events of an event stream (WHATWG HTML, section 9.2).
    ///
    /// Fails with `StreamingError` when an event is longer than the limit. Buffers what has come of an event; one that
    /// the content breaks off is left out.
    ///
    /// ```swift
    /// provider.requestStream(.prices).serverSentEvents().subscribeNext { print($0.event, $0.data) }
    /// ```
    /// - Parameter maximumLength: of how many bytes an event may be.
    public func serverSentEvents(maximumLength: Int = 1 << 20) -> Observable<ServerSentEvent> where Element == Data {
        parsed { EventStreamParser(maximumLength: maximumLength) }
    }

    /// The values of JSON texts, one on each line; fails with the decoder's error.
    ///
    /// Empty lines are left out. Buffers what has come of a line.
    ///
    /// - Parameters:
    ///   - type: what each is decoded to.
    ///   - decoder: decodes them.
    ///   - maximumLength: of how many bytes a line may be.
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
            let parser = Guarded(makeParser())
            // Nil is the end.
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

import Foundation

extension MoyaProvider {
    /// Returns the values of a stream of server-sent events (WHATWG HTML, section 9.2), decoded from JSON.
    ///
    /// ```swift
    /// for try await price in provider.events(.prices, as: Price.self) { print(price.amount) }
    /// for try await delta in provider.events(.chat("Hi"), as: Delta.self, where: { $0.data != "[DONE]" }) { … }
    /// ```
    /// Each iteration sends a request with `Cache-Control: no-store`, so that no cache replays the stream. The
    /// provider's ``ResponseDecoding`` decodes the data of each event. The sequence ends when the response ends. The
    /// server may be silent for any time unless you set ``Timeouts/idle``. To send the request again when a response
    /// ends, use `requestEvents(_:as:reconnecting:on:)` of the module MoyaStreams.
    ///
    /// - Parameters:
    ///   - target: the target to call.
    ///   - type: the type that the data of each event is decoded to.
    ///   - isIncluded: returns whether an event is decoded; other events are skipped.
    ///   - maximumLength: the maximum length of an event, in bytes.
    public func events<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true }, maximumLength: Int = 1 << 20
    ) -> ValueSequence<Value> {
        values(target, isEventStream: true) { head in
            self.eventParser(target, of: type, where: isIncluded, maximumLength, head: { head })
        }
    }

    /// Returns the values of a response whose lines are JSON texts.
    ///
    /// ```swift
    /// for try await entry in provider.jsonLines(.log, as: Entry.self) { print(entry.message) }
    /// ```
    /// Each iteration sends a request. The provider's ``ResponseDecoding`` decodes each line; blank lines are skipped.
    ///
    /// - Parameters:
    ///   - target: the target to call.
    ///   - type: the type that each line is decoded to.
    ///   - maximumLength: the maximum length of a line, in bytes.
    public func jsonLines<Value: Decodable & Sendable>(
        _ target: Target, as type: Value.Type, maximumLength: Int = 1 << 20
    ) -> ValueSequence<Value> {
        values(target, isEventStream: false) { head in
            self.jsonLinesParser(target, of: type, maximumLength, head: { head })
        }
    }

    private func values<Parser: ChunkParser>(
        _ target: Target, isEventStream: Bool, _ parser: @escaping @Sendable (ResponseHead) -> Parser
    ) -> ValueSequence<Parser.Output> {
        ValueSequence { () async throws(MoyaError) in
            do throws(MoyaError) {
                let response = try await self.streamedResponse(target, isEventStream: isEventStream)
                return response.parsed { parser(response.head) }
            } catch {
                throw self.decodingErrorBody(of: error)
            }
        }
    }

    package func decodingErrorBody(of error: MoyaError) -> MoyaError {
        guard case .statusCode(let response) = error else { return error }
        return decoding.statusCodeError(for: response)
    }

    package func eventParser<Value: Decodable & Sendable>(
        _ target: Target, of type: Value.Type, where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool,
        _ maximumLength: Int, head: @escaping @Sendable () -> ResponseHead?
    ) -> some ChunkParser<Value> {
        let decoder = decoding.makeDecoder()
        return DecodingChunkParser(
            base: EventStreamParser(maximumLength: maximumLength), decoding: decoding, accepts: acceptance(of: target),
            isEventStream: true, head: head,
            decode: { event, head in
                isIncluded(event) ? try Response(head, Data(event.data.utf8)).map(type, using: decoder) : nil
            })
    }

    package func jsonLinesParser<Value: Decodable & Sendable>(
        _ target: Target, of type: Value.Type, _ maximumLength: Int, head: @escaping @Sendable () -> ResponseHead?
    ) -> some ChunkParser<Value> {
        let decoder = decoding.makeDecoder()
        return DecodingChunkParser(
            base: LineParser(maximumLength: maximumLength), decoding: decoding, accepts: acceptance(of: target),
            isEventStream: false, head: head,
            decode: { line, head in
                line.isBlank ? nil : try Response(head, Data(line.utf8)).map(type, using: decoder)
            })
    }

    /// Returns the parser for a response of a reconnecting stream, which must be an event stream, or 204.
    package func checking<Parser: ChunkParser>(
        _ parser: Parser, head: @escaping @Sendable () -> ResponseHead?
    ) -> some ChunkParser<Parser.Output> {
        DecodingChunkParser(
            base: parser, decoding: decoding, accepts: { [200, 204].contains($0.statusCode) }, isEventStream: true,
            head: head, decode: { output, _ in output })
    }

    private func acceptance(of target: Target) -> @Sendable (ResponseHead) -> Bool {
        let (decoding, validation) = (decoding, target.validationType)
        return { decoding.accepts($0.statusCode, validation, $0.sent?.request) }
    }
}

extension MoyaProvider where Target == MultiTarget {
    /// Wraps the target in a ``MultiTarget``, and returns the values of its server-sent events.
    @_disfavoredOverload
    public func events<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type,
        where isIncluded: @escaping @Sendable (ServerSentEvent) -> Bool = { _ in true }, maximumLength: Int = 1 << 20
    ) -> ValueSequence<Value> {
        events(MultiTarget(target), as: type, where: isIncluded, maximumLength: maximumLength)
    }

    /// Wraps the target in a ``MultiTarget``, and returns the values of its JSON lines.
    @_disfavoredOverload
    public func jsonLines<Value: Decodable & Sendable>(
        _ target: some RelativeTarget, as type: Value.Type, maximumLength: Int = 1 << 20
    ) -> ValueSequence<Value> {
        jsonLines(MultiTarget(target), as: type, maximumLength: maximumLength)
    }
}

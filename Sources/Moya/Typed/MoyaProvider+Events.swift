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
        values(target, of: type, EventStreamParser(maximumLength: maximumLength), isEventStream: true) { event in
            isIncluded(event) ? event.data : nil
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
        values(target, of: type, LineParser(maximumLength: maximumLength), isEventStream: false) { line in
            line.isBlank ? nil : line
        }
    }

    private func values<Base: ChunkParser, Value: Decodable & Sendable>(
        _ target: Target, of type: Value.Type, _ base: Base, isEventStream: Bool,
        _ text: @escaping @Sendable (Base.Output) -> String?
    ) -> ValueSequence<Value> {
        ValueSequence { () async throws(MoyaError) in
            do throws(MoyaError) {
                let response = try await self.streamedResponse(target, isEventStream: isEventStream)
                return response.parsed {
                    self.parser(
                        target, of: type, base, isEventStream: isEventStream, head: { response.head }, text)
                }
            } catch {
                throw self.decodingErrorBody(of: error)
            }
        }
    }

    package func decodingErrorBody(of error: MoyaError) -> MoyaError {
        guard case .statusCode(let response) = error else { return error }
        return decoding.statusCodeError(for: response)
    }

    /// Returns a parser that decodes the JSON text of each output of another parser; `nil` skips the output.
    package func parser<Base: ChunkParser, Value: Decodable & Sendable>(
        _ target: Target, of type: Value.Type, _ base: Base, isEventStream: Bool,
        head: @escaping @Sendable () -> ResponseHead?, _ text: @escaping @Sendable (Base.Output) -> String?
    ) -> some ChunkParser<Value> {
        let (decoding, decoder, validation) = (decoding, decoding.makeDecoder(), target.validationType)
        return DecodingChunkParser(
            base: base, decoding: decoding, accepts: { decoding.accepts($0.statusCode, validation, $0.sent?.value) },
            isEventStream: isEventStream, head: head,
            decode: { output, head in
                try text(output).map { try Response(head, Data($0.utf8)).map(type, using: decoder) }
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

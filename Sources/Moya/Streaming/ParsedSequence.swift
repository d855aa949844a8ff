public import Foundation

/// What a parser makes of a sequence of chunks.
public struct ParsedSequence<Element: Sendable>: AsyncSequence, Sendable {
    fileprivate let makeNext: @Sendable () -> () async throws -> Element?

    /// Goes through the values once.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let nextElement: () async throws -> Element?

        /// The next value; nil at the end.
        public mutating func next() async throws -> Element? { try await nextElement() }
    }

    /// Begins to read the content.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextElement: makeNext()) }
}

extension AsyncSequence where Element == Data, Self: Sendable {
    /// The content's lines of text in UTF-8, without their ends: LF, CR LF or CR.
    ///
    /// ```swift
    /// for try await line in try await provider.streamedResponse(.log).lines() { print(line) }
    /// ```
    /// - Parameter maximumLength: of how many bytes a line may be; a longer one fails with ``StreamingError``.
    public func lines(maximumLength: Int = 1 << 20) -> ParsedSequence<String> {
        parsed { LineParser(maximumLength: maximumLength) }
    }

    /// The events of an event stream (WHATWG HTML, section 9.2).
    ///
    /// - Parameter maximumLength: of how many bytes an event may be; a longer one fails with ``StreamingError``.
    public func serverSentEvents(maximumLength: Int = 1 << 20) -> ParsedSequence<ServerSentEvent> {
        parsed { EventStreamParser(maximumLength: maximumLength) }
    }

    /// The values of JSON texts, one on each line; fails with the decoder's error.
    ///
    /// Empty lines are left out.
    ///
    /// - Parameters:
    ///   - type: what each is decoded to.
    ///   - decoder: decodes them.
    ///   - maximumLength: of how many bytes a line may be; a longer one fails with ``StreamingError``.
    public func jsonLines<Value: Decodable & Sendable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder(), maximumLength: Int = 1 << 20
    ) -> AsyncThrowingCompactMapSequence<ParsedSequence<String>, Value> {
        lines(maximumLength: maximumLength).compactMap { try decoder.decode(type, fromLine: $0) }
    }

    func parsed<Parser: ChunkParser>(
        by makeParser: @escaping @Sendable () -> Parser
    ) -> ParsedSequence<Parser.Output> {
        ParsedSequence {
            var chunks = makeAsyncIterator()
            var parser = makeParser()
            var parsed: ArraySlice<Parser.Output> = []
            var isOver = false
            var failure: (any Error)?
            return {
                while true {
                    if let value = parsed.popFirst() { return value }
                    if let error = failure.take() { throw error }
                    if isOver { return nil }
                    var values: [Parser.Output] = []
                    do {
                        if let chunk = try await chunks.next() {
                            try parser.add(chunk, to: &values)
                        } else {
                            isOver = true
                            values = try parser.finish()
                        }
                    } catch {
                        isOver = true
                        failure = error
                    }
                    parsed = values[...]
                }
            }
        }
    }
}

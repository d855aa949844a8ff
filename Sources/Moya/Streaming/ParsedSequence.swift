public import Foundation

/// The values that a parser reads from a sequence of chunks, such as lines or events.
public struct ParsedSequence<Element: Sendable>: AsyncSequence, Sendable {
    fileprivate let makeNext: @Sendable () -> () async throws -> Element?

    /// An iterator over the values.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let nextElement: () async throws -> Element?

        /// Returns the next value, or `nil` at the end.
        public mutating func next() async throws -> Element? { try await nextElement() }
    }

    /// Returns an iterator that reads and parses the content.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(nextElement: makeNext()) }
}

extension AsyncSequence where Element == Data, Self: Sendable {
    /// Returns the lines of UTF-8 text, without the line ends LF, CR LF or CR.
    ///
    /// ```swift
    /// for try await line in try await provider.streamedResponse(.log).lines() { print(line) }
    /// ```
    /// - Parameter maximumLength: the maximum length of a line in bytes; a longer line throws a ``StreamingError``.
    public func lines(maximumLength: Int = 1 << 20) -> ParsedSequence<String> {
        parsed { LineParser(maximumLength: maximumLength) }
    }

    /// The lines of the text, as ``lines(maximumLength:)`` returns them for lines of up to 1 MiB.
    public var lines: ParsedSequence<String> { lines() }

    /// Returns the events of an event stream (WHATWG HTML, section 9.2).
    ///
    /// - Parameter maximumLength: the maximum length of an event in bytes; a longer event throws a ``StreamingError``.
    public func serverSentEvents(maximumLength: Int = 1 << 20) -> ParsedSequence<ServerSentEvent> {
        parsed { EventStreamParser(maximumLength: maximumLength) }
    }

    /// Decodes each line as a JSON text and returns the values.
    ///
    /// Blank lines are skipped. A line that cannot be decoded throws the error of the decoder.
    ///
    /// - Parameters:
    ///   - type: the type of the values.
    ///   - decoder: decodes the values.
    ///   - maximumLength: the maximum length of a line in bytes; a longer line throws a ``StreamingError``.
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
            var isAtEnd = false
            var failure: (any Error)?
            return {
                while true {
                    if let value = parsed.popFirst() { return value }
                    if let error = failure.take() { throw error }
                    if isAtEnd { return nil }
                    var values: [Parser.Output] = []
                    do {
                        if let chunk = try await chunks.next() {
                            try parser.add(chunk, to: &values)
                        } else {
                            isAtEnd = true
                            values = try parser.finish()
                        }
                    } catch {
                        isAtEnd = true
                        failure = error
                    }
                    parsed = values[...]
                }
            }
        }
    }
}

package import Foundation

/// Decodes another parser's lines or events; decodes the content of a refused response to an error and throws it.
struct DecodingChunkParser<Base: ChunkParser, Output: Sendable>: ChunkParser {
    /// The maximum number of bytes that are read from a refused response.
    private static var maximumErrorBody: Int { 64 << 10 }

    var base: Base
    let decoding: ResponseDecoding
    let accepts: @Sendable (ResponseHead) -> Bool
    /// Whether an accepted response of another type is an error.
    let isEventStream: Bool
    /// Returns the head; `nil` only before any chunk.
    let head: @Sendable () -> ResponseHead?
    /// Decodes an output; `nil` skips it.
    let decode: @Sendable (Base.Output, ResponseHead) throws -> Output?
    var response: (head: ResponseHead, isAccepted: Bool)?
    /// The content of a response whose status code is not accepted; it is decoded to an error.
    var refused = Data()

    mutating func add(_ chunk: Data, to values: inout [Output]) throws {
        guard let (head, isAccepted) = try begunResponse() else { return }
        guard isAccepted else {
            refused += chunk.prefix(Self.maximumErrorBody - refused.count)
            if refused.count >= Self.maximumErrorBody { throw statusCodeError(head) }
            return
        }
        var parsed: [Base.Output] = []
        let result = Result { try base.add(chunk, to: &parsed) }
        try append(parsed, to: &values, head)
        try result.get()
    }

    mutating func finish() throws -> [Output] {
        guard let (head, isAccepted) = try begunResponse() else { return [] }
        guard isAccepted else { throw statusCodeError(head) }
        var values: [Output] = []
        try append(base.finish(), to: &values, head)
        return values
    }

    private mutating func begunResponse() throws -> (head: ResponseHead, isAccepted: Bool)? {
        guard response == nil, let head = head() else { return response }
        let isAccepted = accepts(head)
        if isAccepted, isEventStream { try head.checkIsEventStream() }
        response = (head, isAccepted)
        return response
    }

    private func append(_ parsed: [Base.Output], to values: inout [Output], _ head: ResponseHead) throws {
        for item in parsed {
            if let value = try decode(item, head) { values.append(value) }
        }
    }

    private func statusCodeError(_ head: ResponseHead) -> MoyaError {
        decoding.statusCodeError(for: Response(head, refused))
    }
}

extension Response {
    package init(_ head: ResponseHead, _ content: Data) {
        self.init(Content(head: head, data: content, sent: head.sent?.value, trailers: [:], metrics: nil))
    }
}

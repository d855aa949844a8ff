package import Foundation

/// Decodes another parser's lines or events; decodes the content of a refused response to an error and throws it.
struct DecodingChunkParser<Base: ChunkParser, Output: Sendable>: ChunkParser {
    enum ResponseAcceptance {
        case unknown
        case values(ResponseHead)
        /// The status code is not accepted. The `Data` collects the content, which is decoded to an error.
        case refused(ResponseHead, Data)
    }

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
    var acceptance = ResponseAcceptance.unknown

    mutating func add(_ chunk: Data, to values: inout [Output]) throws {
        try begin()
        switch acceptance {
        case .unknown: break
        case .values(let head):
            var parsed: [Base.Output] = []
            let result = Result { try base.add(chunk, to: &parsed) }
            try append(parsed, to: &values, head)
            try result.get()
        case .refused(let head, var content):
            acceptance = .unknown
            content += chunk.prefix(Self.maximumErrorBody - content.count)
            acceptance = .refused(head, content)
            if content.count >= Self.maximumErrorBody { throw statusCodeError(head, content) }
        }
    }

    mutating func finish() throws -> [Output] {
        try begin()
        switch acceptance {
        case .unknown: return []
        case .values(let head):
            var values: [Output] = []
            try append(base.finish(), to: &values, head)
            return values
        case .refused(let head, let content): throw statusCodeError(head, content)
        }
    }

    private mutating func begin() throws {
        guard case .unknown = acceptance, let head = head() else { return }
        guard accepts(head) else {
            acceptance = .refused(head, Data())
            return
        }
        if isEventStream { try head.checkIsEventStream() }
        acceptance = .values(head)
    }

    private func append(_ parsed: [Base.Output], to values: inout [Output], _ head: ResponseHead) throws {
        for item in parsed {
            if let value = try decode(item, head) { values.append(value) }
        }
    }

    private func statusCodeError(_ head: ResponseHead, _ content: Data) -> MoyaError {
        decoding.statusCodeError(for: Response(head, content))
    }
}

extension Response {
    package init(_ head: ResponseHead, _ content: Data) {
        self.init(
            Content(
                head: ResponseHead(unversioned: head.statusCode, headers: head.headers), data: content,
                sent: head.sent?.request, trailers: [:], metrics: nil))
    }
}

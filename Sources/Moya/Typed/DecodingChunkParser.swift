import Foundation

/// Decodes another parser's lines or events; decodes the content of a refused response to an error and throws it.
struct DecodingChunkParser<Base: ChunkParser, Output: Sendable>: ChunkParser {
    private enum ResponseAcceptance {
        case unknown
        case values(ResponseHead)
        /// The status code is not accepted. The `Data` collects the content, which is decoded to an error.
        case refused(ResponseHead, Data)
    }

    /// The maximum number of bytes that are read from a response whose status code is not accepted.
    private static var maximumErrorBody: Int { 64 << 10 }

    private var base: Base
    private var acceptance = ResponseAcceptance.unknown
    private let decoding: ResponseDecoding
    private let validation: ValidationType
    private let head: @Sendable () -> ResponseHead?
    private let check: @Sendable (ResponseHead) throws(MoyaError) -> Void
    private let decode: @Sendable (Base.Output) throws -> Output?

    /// `head` is `nil` only before any chunk, `check` verifies the media type, `decode` skips an output with `nil`.
    init(
        _ base: Base, _ decoding: ResponseDecoding, _ validation: ValidationType,
        head: @escaping @Sendable () -> ResponseHead?,
        check: @escaping @Sendable (ResponseHead) throws(MoyaError) -> Void,
        decode: @escaping @Sendable (Base.Output) throws -> Output?
    ) {
        self.base = base
        self.decoding = decoding
        self.validation = validation
        self.head = head
        self.check = check
        self.decode = decode
    }

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
        guard decoding.accepts(head.statusCode, validation, isRequestedRange: head.isRequestedRange) else {
            acceptance = .refused(head, Data())
            return
        }
        try check(head)
        acceptance = .values(head)
    }

    private func append(_ parsed: [Base.Output], to values: inout [Output], _ head: ResponseHead) throws {
        for item in parsed {
            do {
                if let value = try decode(item) { values.append(value) }
            } catch {
                throw MoyaError.objectMapping(error, Response(head, Data()))
            }
        }
    }

    private func statusCodeError(_ head: ResponseHead, _ content: Data) -> MoyaError {
        decoding.statusCodeError(for: Response(head, content))
    }
}

extension Response {
    fileprivate init(_ head: ResponseHead, _ content: Data) {
        self.init(statusCode: head.statusCode, data: content, headers: head.headers)
    }
}

import Foundation

/// A body reader that throws if the content is shorter or longer than its declared length.
///
/// The last bytes are returned only after the reader has found the end of the content. Otherwise a server could receive
/// a request that looks complete although its content is truncated. A file that is longer than declared is not an
/// error, because the file may have grown since its length was read. The bytes beyond the declared length are ignored.
struct LengthCheckingBodyReader: BodyReader {
    private var reader: any BodyReader
    private let length: Int64
    private let mayGrow: Bool
    /// The number of bytes that were returned.
    private var position: Int64 = 0
    /// The bytes that were read and not returned yet.
    private var pending = Data()
    private var hasEnded = false

    init(_ reader: any BodyReader, of body: RequestBody, length: Int64) {
        self.reader = reader
        self.length = length
        mayGrow = if case .file = body { true } else { false }
    }

    mutating func read(upTo count: Int) throws -> BodyPart {
        if pending.isEmpty, position < length {
            switch try reader.read(upTo: Int(clamping: min(Int64(count), length - position))) {
            case .data(let data) where Int64(data.count) > length - position: throw tooLong
            case .data(let data) where !data.isEmpty: pending = data
            case .pending: return .pending
            case .data, .end: throw failure("it ended after \(position) of \(length) bytes")
            }
        }
        if position + Int64(pending.count) == length, try !isAtEnd() { return .pending }
        guard !pending.isEmpty else { return .end }
        let part = pending.prefix(count)
        pending = pending.dropFirst(part.count)
        position += Int64(part.count)
        return .data(part)
    }

    /// Returns whether the end of the content is reached; `false` if the reader is still waiting for content.
    private mutating func isAtEnd() throws -> Bool {
        guard !hasEnded, !mayGrow else { return true }
        switch try reader.read(upTo: 1) {
        case .data: throw tooLong
        case .pending: return false
        case .end: hasEnded = true
        }
        return true
    }

    private var tooLong: URLError { failure("it is longer than the \(length) bytes that were declared") }

    private func failure(_ reason: String) -> URLError { URLError(.requestBodyStreamExhausted, reason) }
}

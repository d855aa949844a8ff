import Foundation

extension RequestBody {
    /// Opens the content, and checks its declared length, from which data in memory cannot differ.
    package func open(checking length: Int64?, resume: @escaping @Sendable () -> Void) throws -> any BodyReader {
        let reader = try open(resume: resume)
        if case .data = self { return reader }
        return length.map { LengthCheckingBodyReader(reader, of: self, length: $0) } ?? reader
    }
}

// Throws if a stream doesn't have its declared length, or if a file is too short; what a file has grown by is ignored.
// The last bytes of a stream are held until it ends, so that no server processes truncated content.
package struct LengthCheckingBodyReader: BodyReader {
    private var reader: any BodyReader
    private let length: Int64
    private var position: Int64 = 0
    private var pending = Data()
    /// Whether the reader has ended, or what follows is ignored, because the file has grown.
    private var hasEnded: Bool

    package init(_ reader: any BodyReader, of body: RequestBody, length: Int64) {
        self.reader = reader
        self.length = length
        hasEnded = if case .file = body { true } else { false }
    }

    package mutating func read(upTo count: Int) throws -> BodyPart {
        if pending.isEmpty, position < length {
            switch try reader.read(upTo: Int(clamping: min(Int64(count), length - position))) {
            case .data(let data) where Int64(data.count) > length - position: throw tooLong
            case .data(let data) where !data.isEmpty: pending = data
            case .pending: return .pending
            case .data, .end: throw failure("it ended after \(position) of \(length) bytes")
            }
        }
        if position + Int64(pending.count) == length, !hasEnded {
            switch try reader.read(upTo: 1) {
            case .data: throw tooLong
            case .pending: return .pending
            case .end: hasEnded = true
            }
        }
        guard !pending.isEmpty else { return .end }
        let part = pending.prefix(count)
        pending = pending.dropFirst(part.count)
        position += Int64(part.count)
        return .data(part)
    }

    private var tooLong: URLError { failure("it is longer than the \(length) bytes that were declared") }

    private func failure(_ reason: String) -> URLError { URLError(.requestBodyStreamExhausted, reason) }
}

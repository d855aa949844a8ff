import Foundation

/// Content that is held to the length that was declared for it: less is a failure, and more, too.
///
/// The last part is given when it is known that nothing follows: so a server never has a complete request of which something
/// was cut off. Only a file may have grown meanwhile; what it was is given then.
struct LengthCheckingReader: BodyReader {
    private var reader: any BodyReader
    private let length: Int64
    private let mayGrow: Bool
    private var given: Int64 = 0
    /// Read, and not given yet.
    private var held = Data()
    private var hasEnded = false

    init(_ reader: any BodyReader, of body: RequestBody, length: Int64) {
        self.reader = reader
        self.length = length
        mayGrow = if case .file = body { true } else { false }
    }

    mutating func read(upTo count: Int) throws -> BodyPart {
        if held.isEmpty, given < length {
            switch try reader.read(upTo: Int(clamping: min(Int64(count), length - given))) {
            case .data(let data) where Int64(data.count) > length - given: throw tooLong
            case .data(let data) where !data.isEmpty: held = data
            case .pending: return .pending
            case .data, .end: throw failure("it ended after \(given) of \(length) bytes")
            }
        }
        if given + Int64(held.count) == length, try !isAtEnd() { return .pending }
        guard !held.isEmpty else { return .end }
        let part = held.prefix(count)
        held = held.dropFirst(part.count)
        given += Int64(part.count)
        return .data(part)
    }

    /// Whether nothing follows; false if that is not known yet.
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

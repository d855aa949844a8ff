public import Foundation

// Parses content that arrives in arbitrary chunks. A value, so that each subscription or iteration has its own copy.
package protocol ChunkParser<Output>: Sendable {
    associatedtype Output: Sendable

    /// Even if it throws, `values` contains all values before the error, however the content is divided into chunks.
    mutating func add(_ chunk: Data, to values: inout [Output]) throws

    /// Returns the values that are complete only because the content has ended, such as a last line without a line end.
    mutating func finish() throws -> [Output]
}

/// An error in content that is parsed as a stream.
public enum StreamingError: Error, Sendable, Hashable, LocalizedError {
    /// A line or an event is longer than `limit` bytes.
    case tooLong(limit: Int)

    /// A description for users.
    public var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "A line or an event of the content is longer than the limit of \(limit) bytes."
        }
    }
}

/// A parser that returns the lines of a text; a line ends with LF, CR LF, CR or the end of the content.
package struct LineParser: ChunkParser {
    private let maximumLength: Int
    private var rest: [UInt8] = []
    /// Whether the last byte was a CR; an LF that follows belongs to the same line end.
    private var endedWithReturn = false

    package init(maximumLength: Int) {
        self.maximumLength = maximumLength
    }

    package mutating func add(_ chunk: Data, to lines: inout [String]) throws {
        for byte in chunk {
            defer { endedWithReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where endedWithReturn: break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                lines.append(String(decoding: rest, as: UTF8.self))
                rest.removeAll(keepingCapacity: true)
            default:
                guard rest.count < maximumLength else { throw StreamingError.tooLong(limit: maximumLength) }
                rest.append(byte)
            }
        }
    }

    package mutating func finish() -> [String] {
        defer { rest = [] }
        return rest.isEmpty ? [] : [String(decoding: rest, as: UTF8.self)]
    }
}

extension String {
    package var isBlank: Bool { allSatisfy(\.isWhitespace) }
}

extension JSONDecoder {
    package func decode<Value: Decodable>(_ type: Value.Type, fromLine line: String) throws -> Value? {
        line.isBlank ? nil : try decode(type, from: Data(line.utf8))
    }
}

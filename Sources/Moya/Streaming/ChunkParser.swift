public import Foundation

/// Makes values of content that comes in chunks, wherever these were cut.
///
/// A pure value: streams and sequences hold one for each subscription or iteration.
package protocol ChunkParser<Output>: Sendable {
    associatedtype Output: Sendable

    /// Appends the values that a chunk completes to `values`.
    ///
    /// After an error, `values` has those that came before the place of the error, wherever the content was cut.
    mutating func add(_ chunk: Data, to values: inout [Output]) throws

    /// What the end of the content completes.
    mutating func finish() throws -> [Output]
}

/// Content that cannot be parsed as a stream.
public enum StreamingError: Error, Sendable, Hashable, LocalizedError {
    /// A line, or an event, is longer than the limit, in bytes.
    case tooLong(limit: Int)

    /// A sentence for people.
    public var errorDescription: String? {
        switch self {
        case .tooLong(let limit): "A line or an event of the content is longer than the limit of \(limit) bytes."
        }
    }
}

/// Lines of text: they end with LF, CR LF or CR, or with the content.
package struct LineParser: ChunkParser {
    private let maximumLength: Int
    private var rest: [UInt8] = []
    /// A LF that follows belongs to it.
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

extension JSONDecoder {
    /// The value on a line; nil if there is none.
    package func decode<Value: Decodable>(_ type: Value.Type, fromLine line: String) throws -> Value? {
        line.allSatisfy(\.isWhitespace) ? nil : try decode(type, from: Data(line.utf8))
    }
}

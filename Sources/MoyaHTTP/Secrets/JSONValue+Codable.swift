import Foundation

extension JSONValue: Codable {
    /// Each level takes several stack frames of the coder, so deeper values could overflow the stack.
    private static let maximumDepth = 100

    /// Decodes a value of any shape.
    ///
    /// Numbers become the same values as with ``init(data:)``, with one exception: `1e3` and `1000.0` become
    /// `.int(1000)`, because decoders do not distinguish them from `1000`.
    ///
    /// - Throws: a `DecodingError` for a value that is nested deeper than 100 levels.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < Self.maximumDepth else {
            let reason = "nested deeper than \(Self.maximumDepth) levels"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let double = try? container.decode(Double.self) {
            // A `Decimal` if a `Double` would lose digits, which is always the case for `UInt64`.
            if double >= 0x1p63, let value = try? container.decode(UInt64.self) {
                self = .decimal(Decimal(value))
            } else {
                self = (try? container.decode(Decimal.self)).map { JSONValue(double, $0) } ?? .double(double)
            }
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONValue] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONValue.self)) }
            self = .array(array)
        } else {
            self = .object(try container.decode([String: JSONValue].self))
        }
    }

    /// Encodes the value.
    ///
    /// - Throws: an `EncodingError` for a value that is nested deeper than 100 levels.
    public func encode(to encoder: any Encoder) throws {
        guard encoder.codingPath.count < Self.maximumDepth else {
            let reason = "nested deeper than \(Self.maximumDepth) levels"
            throw EncodingError.invalidValue(self, .init(codingPath: [], debugDescription: reason))
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }
}

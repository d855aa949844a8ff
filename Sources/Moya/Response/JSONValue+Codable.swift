extension JSONValue: Codable {
    /// Each level takes several frames of the coder's stack: deeper than this is an error before it is a crash.
    private static let deepest = 200

    /// Any value that the decoder has.
    ///
    /// - Throws: a `DecodingError` for what is nested deeper than 200 levels.
    public init(from decoder: any Decoder) throws {
        guard decoder.codingPath.count < Self.deepest else {
            let reason = "nested deeper than \(Self.deepest) levels"
            throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: reason))
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .int(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
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

    /// The value as it is.
    ///
    /// - Throws: an `EncodingError` for what is nested deeper than 200 levels.
    public func encode(to encoder: any Encoder) throws {
        guard encoder.codingPath.count < Self.deepest else {
            let reason = "nested deeper than \(Self.deepest) levels"
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

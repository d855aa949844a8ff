public import Foundation

/// A conversion of a response to a value: from JSON, as text, as data, or by a function.
///
/// ```swift
/// let user = ResponseMapping<User>.json(at: "result.user")
/// let size = ResponseMapping.data.map(\.count)
/// ```
/// Typed calls use a mapping only if the status code is accepted, see ``ResponseDecoding/accepted``. The response of a
/// server is mapped neither on a transport's thread nor on the main actor. The response of an immediate stub may be
/// mapped on the caller's thread.
public struct ResponseMapping<Value: Sendable>: Sendable {
    /// The media types that the mapping reads, such as `application/json`.
    ///
    /// The media types are sent in the header field `Accept` (RFC 9110, section 12.5.1), unless the target has that
    /// field. If `nil`, the field is not added.
    public let accept: String?

    let read: @Sendable (Response, ResponseDecoding) throws -> Value

    /// Creates a mapping from a function.
    ///
    /// If the function throws a `MoyaError`, the call fails with that error. If it throws any other error, the call
    /// fails with `MoyaError.objectMapping`.
    ///
    /// - Parameters:
    ///   - accept: the media types that the function reads.
    ///   - read: returns the value of a response; receives the provider's ``ResponseDecoding``.
    public init(accept: String? = nil, _ read: @escaping @Sendable (Response, ResponseDecoding) throws -> Value) {
        self.accept = accept
        self.read = read
    }

    /// Returns a mapping that converts the value with a function.
    ///
    /// - Parameter transform: returns the new value; its errors have the same effect as those of ``init(accept:_:)``.
    public func map<NewValue: Sendable>(
        _ transform: @escaping @Sendable (Value) throws -> NewValue
    ) -> ResponseMapping<NewValue> {
        ResponseMapping<NewValue>(accept: accept) { response, decoding in
            try transform(read(response, decoding))
        }
    }

    /// Returns the value of a response, without checking the status code.
    ///
    /// Typed calls use this method. Call it in tests and in mappings that are composed of other mappings.
    ///
    /// - Throws: a `MoyaError` that the mapping throws, and `MoyaError.objectMapping` for any other error.
    public func value(
        of response: Response, using decoding: ResponseDecoding = ResponseDecoding()
    ) throws(MoyaError) -> Value {
        do {
            return try read(response, decoding)
        } catch {
            throw error as? MoyaError ?? .objectMapping(error, response)
        }
    }

    var withResponse: ResponseMapping<(value: Value, response: Response)> {
        ResponseMapping<(value: Value, response: Response)>(accept: accept) { response, decoding in
            (try read(response, decoding), response)
        }
    }
}

extension ResponseMapping where Value: Decodable {
    /// Returns a mapping that decodes JSON content with the provider's decoder.
    ///
    /// The media type of the response is not checked. The content must be UTF-8, with or without a byte order mark (RFC
    /// 8259, section 8.1). Empty content, as with the status codes 204, 205 and 304 and the method HEAD, is an error.
    /// If `Value` is an optional, empty content is decoded to `nil` instead. If several members of an object have the
    /// same name, Foundation's decoder uses the first member; other decoders may use another.
    ///
    /// - Parameter keyPath: the path of the value to decode. It consists of the names of nested members, spelled as
    ///   in the JSON, separated by dots. A dot after a backslash belongs to the name. `nil` decodes the whole content.
    public static func json(at keyPath: String? = nil) -> Self {
        Self(accept: "application/json") { response, decoding in
            try response.decoded(at: keyPath, using: decoding.makeDecoder())
        }
    }

    /// The mapping of a type that has no other: the content itself for `String` and `Data` without a key path.
    static func contentOrJSON(at keyPath: String? = nil) -> Self {
        guard keyPath == nil, Value.self == String.self || Value.self == Data.self else { return .json(at: keyPath) }
        return ResponseMapping<String>.text as? Self ?? ResponseMapping<Data>.data as? Self ?? .json()
    }
}

extension ResponseMapping {
    /// Not available, because `Value` is not `Decodable`; use ``init(accept:_:)`` with a function instead.
    @available(
        *, unavailable,
        message: """
            the type of the response is not Decodable: make it Decodable, or give a function, as in ResponseMapping { response, _ in \
            … }
            """
    )
    public static func json(at keyPath: String? = nil) -> Self {
        Self { response, _ in throw MoyaError.jsonMapping(response) }
    }
}

extension ResponseMapping where Value == String {
    /// A mapping to the content as text.
    ///
    /// The header field `Content-Type` names the encoding of the text. The default is UTF-8.
    public static var text: Self { Self { response, _ in try response.mapString() } }
}

extension ResponseMapping where Value == Data {
    /// A mapping to the content, unchanged.
    public static var data: Self { Self { response, _ in response.data } }
}

extension ResponseMapping where Value == Response {
    /// A mapping to the response itself: status code, header fields and content.
    public static var response: Self { Self { response, _ in response } }
}

extension ResponseMapping where Value == Void {
    /// A mapping to no value; the content, if any, is ignored.
    public static var none: Self { Self { _, _ in } }
}

extension Response {
    func decoded<Value: Decodable>(at keyPath: String?, using decoder: JSONDecoder) throws(MoyaError) -> Value {
        if data.isEmpty, Value.self is any ExpressibleByNilLiteral.Type {
            // Succeeds if `Value` is an optional, or another type that can be decoded from `null`.
            if let value = try? decoder.decode(Value.self, from: Data("null".utf8)) { return value }
        }
        guard !data.isUTF16OrUTF32 else {
            throw .objectMapping(UnsupportedJSONEncodingError(), self)
        }
        return try map(Value.self, atKeyPath: keyPath, using: decoder)
    }
}

extension Data {
    /// Such text starts with a byte order mark, or with an ASCII character, which has a zero byte in these encodings.
    fileprivate var isUTF16OrUTF32: Bool {
        let start = prefix(2)
        return start.elementsEqual([0xfe, 0xff]) || start.elementsEqual([0xff, 0xfe]) || start.contains(0)
    }
}

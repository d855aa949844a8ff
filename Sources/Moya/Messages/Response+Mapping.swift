public import Foundation

extension Response {
    /// Returns the content as JSON of any shape.
    ///
    /// A ``JSONValue`` is not an object of Foundation: `as? [String: Any]` is always `nil`. For `JSONSerialization` and
    /// for code that expects `[String: Any]`, use ``mapJSONObject(failsOnEmptyData:)``.
    ///
    /// - Parameter failsOnEmptyData: whether empty content is an error. If `false`, empty content becomes `null`.
    /// - Throws: `MoyaError.jsonMapping` with the response.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(MoyaError) -> JSONValue {
        if data.isEmpty, !failsOnEmptyData { return .null }
        guard let json = try? JSONValue(data: data) else { throw .jsonMapping(self) }
        return json
    }

    /// Returns the content as an object of Foundation, as `mapJSON()` of Moya 15 does.
    ///
    /// ```swift
    /// let user = try response.mapJSONObject() as? [String: Any]
    /// ```
    /// The result is an `NSNull`, a number, a `String`, an `[Any]` or a `[String: Any]`, and is not `Sendable`.
    ///
    /// - Parameter failsOnEmptyData: whether empty content is an error. If `false`, empty content becomes `NSNull`.
    /// - Throws: `MoyaError.jsonMapping` with the response.
    public func mapJSONObject(failsOnEmptyData: Bool = true) throws(MoyaError) -> Any {
        if data.isEmpty, !failsOnEmptyData { return NSNull() }
        guard let object = try? JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed) else {
            throw .jsonMapping(self)
        }
        return object
    }

    /// Returns the content as text, or the string at a key path in JSON.
    ///
    /// The `charset` of `Content-Type` names the encoding of the text (RFC 9110, section 8.3.2). Without a `charset`,
    /// the encoding is UTF-8.
    ///
    /// - Parameter keyPath: names of nested members, separated by dots. If `nil`, the whole content is returned.
    /// - Throws: `MoyaError.stringMapping` with the response if the content is not text in a known encoding, or if
    ///   there is no string at the key path. `MoyaError.jsonMapping` with the response if a key path was given and the
    ///   content is not JSON.
    public func mapString(atKeyPath keyPath: String? = nil) throws(MoyaError) -> String {
        guard let keyPath else {
            guard let encoding = headers.textEncoding, let string = String(data: data, encoding: encoding) else {
                throw .stringMapping(self)
            }
            return string
        }
        let value = [String](keyPath: keyPath).reduce(try mapJSON() as JSONValue?) { value, name in value?[name] }
        guard let string = value?.string else { throw .stringMapping(self) }
        return string
    }

    /// Decodes the content, or the value at a key path in it, from JSON.
    ///
    /// ```swift
    /// let names = try response.map([String].self, atKeyPath: "result.names")
    /// ```
    /// The decoder decodes only the value at the path, directly from the content, so that numbers keep all digits.
    /// The value may also be a number, a string or a boolean.
    ///
    /// - Parameters:
    ///   - type: the type of the value.
    ///   - keyPath: names of nested members, spelled as in the JSON and separated by dots; `nil` for the whole content.
    ///   - decoder: decodes the value.
    ///   - failsOnEmptyData: whether empty content is an error. If `false`, the value is decoded from `{}` instead of
    ///     empty content. If `{}` cannot be decoded, the value is decoded from `[{}]`.
    /// - Throws: `MoyaError.objectMapping` with the decoder's error and the response; `MoyaError.jsonMapping` with the
    ///   response if there is no value at the key path.
    public func map<Value: Decodable>(
        _ type: Value.Type = Value.self, atKeyPath keyPath: String? = nil, using decoder: JSONDecoder = JSONDecoder(),
        failsOnEmptyData: Bool = true
    ) throws(MoyaError) -> Value {
        if data.isEmpty, !failsOnEmptyData {
            for empty in ["{}", "[{}]"] {
                if let value = try? decoder.decode(type, from: Data(empty.utf8)) { return value }
            }
        }
        do {
            guard let keyPath else { return try decoder.decode(type, from: data) }
            let path = [String](keyPath: keyPath).converted(by: decoder)[...]
            return try decoder.decode(KeyPathDecodable<Value>.self, from: data, configuration: path).value
        } catch is KeyPathNotFound {
            throw .jsonMapping(self)
        } catch {
            throw .objectMapping(error, self)
        }
    }
}

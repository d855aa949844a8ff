public import Foundation

extension Response {
    /// The content as JSON of any shape.
    ///
    /// - Parameter failsOnEmptyData: whether empty content is an error rather than null.
    /// - Throws: `MoyaError.jsonMapping` with the response.
    public func mapJSON(failsOnEmptyData: Bool = true) throws(MoyaError) -> JSONValue {
        if data.isEmpty, !failsOnEmptyData { return .null }
        do {
            return try JSONValue(data: data)
        } catch {
            throw .jsonMapping(self)
        }
    }

    /// The content as text in UTF-8.
    ///
    /// - Throws: `MoyaError.stringMapping` with the response.
    public func mapString() throws(MoyaError) -> String {
        guard let string = String(data: data, encoding: .utf8) else { throw .stringMapping(self) }
        return string
    }

    /// The content decoded from JSON.
    ///
    /// - Throws: `MoyaError.objectMapping` with the decoder's error and the response.
    public func map<Value: Decodable>(
        _ type: Value.Type = Value.self, using decoder: JSONDecoder = JSONDecoder()
    ) throws(MoyaError) -> Value {
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw .objectMapping(error, self)
        }
    }
}

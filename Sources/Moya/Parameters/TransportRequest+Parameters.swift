import Foundation

extension TransportRequest {
    /// Makes the changes in `request`, which is a modified copy of ``urlRequest``.
    mutating func update(to request: URLRequest) throws(MoyaError) {
        do throws(TransportError) { self = try updated(to: request) } catch { throw MoyaError(error) }
    }

    /// Returns the request for code that takes a `URLRequest`, which drops invalid header fields without an error.
    func checkedURLRequest() throws(MoyaError) -> URLRequest {
        try MoyaError.wrapping(headers.validate)
        return urlRequest
    }

    mutating func encode(
        _ parameters: [String: any Sendable], _ encoding: any ParameterEncoding
    ) throws(MoyaError) {
        do {
            switch encoding {
            case let encoding as URLEncoding: try put(encoding.text(parameters), by: encoding)
            case let encoding as JSONEncoding:
                content = try encoding.data(parameters)
                setIfMissing("Content-Type", "application/json")
            default: try update(to: encoding.encode(checkedURLRequest(), with: parameters))
            }
        } catch {
            throw error as? MoyaError ?? .parameterEncoding(error)
        }
    }

    mutating func encode(membersOf value: any Encodable & Sendable, _ encoding: URLEncoding) throws(MoyaError) {
        do {
            try put(encoding.text(membersOf: value), by: encoding)
        } catch {
            throw .encodableMapping(error)
        }
    }

    private mutating func put(_ text: [UInt8], by encoding: URLEncoding) throws {
        guard !text.isEmpty else { return }
        if encoding.encodesIntoQuery(method) {
            url = try url.appending(encodedQuery: text)
        } else {
            setIfMissing("Content-Type", URLEncoding.contentType)
            content = Data(text)
        }
    }
}

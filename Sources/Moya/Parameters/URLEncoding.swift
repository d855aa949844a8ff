public import Foundation

/// Encodes parameters as `key=value&key=value`, in the query or in the body.
///
/// Keys are sorted. By default, arrays are written as `key[]=a&key[]=b`, dictionaries as `key[member]=a`, booleans as
/// `1` and `0`, dates in ISO 8601 and data in base 64. By default, a key whose value is `nil` is left out.
///
/// If the parameters are in the body and the request has no content type, the encoding sets
/// `Content-Type: application/x-www-form-urlencoded; charset=utf-8`.
public struct URLEncoding: ParameterEncoding {
    /// The part of the request that the parameters are written to.
    public enum Destination: Sendable, Hashable {
        /// The query of GET, HEAD and DELETE, the body of other methods.
        case methodDependent
        /// The query; the parameters are appended to the query of the URL.
        case queryString
        /// The body.
        case httpBody
    }

    /// The format of an array.
    public enum ArrayEncoding: Sendable, Hashable {
        /// `key[]=a&key[]=b`.
        case brackets
        /// `key=a&key=b`.
        case noBrackets
        /// `key[0]=a&key[1]=b`.
        case indexInBrackets
    }

    /// The format of a `Bool`.
    public enum BoolEncoding: Sendable, Hashable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// The format of `nil`.
    ///
    /// The format applies to `nil` in parameters, and to `nil` that `encode(to:)` passes to `encode`. A synthesized
    /// `encode(to:)` leaves out properties that are `nil`, because it calls `encodeIfPresent`. To encode such
    /// properties, implement `encode(to:)` with `encode`.
    public enum NilEncoding: Sendable, Hashable {
        /// The key is left out.
        case dropKey
        /// `key=`.
        case dropValue
        /// `key=null`.
        case null
    }

    /// The format of a date.
    public enum DateEncoding: Sendable {
        /// `2026-11-21T18:00:00Z`.
        case iso8601
        /// Seconds since 1970, with a fraction if there is one.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// The string that the closure returns.
        case custom(@Sendable (Date) -> String)
    }

    /// The format of data.
    public enum DataEncoding: Sendable, Hashable {
        /// Base 64.
        case base64
        /// Two lower-case hexadecimal digits for each byte.
        case hexadecimal
    }

    /// The format of the keys of a nested dictionary.
    public enum KeyPathEncoding: Sendable, Hashable {
        /// `key[member]=a`.
        case brackets
        /// `key.member=a`.
        case dots
    }

    /// The format of a space.
    public enum SpaceEncoding: Sendable, Hashable {
        /// `%20`.
        case percentEscaped
        /// `+`, as browsers write a space in forms.
        case plusReplaced
    }

    /// An encoding into the query for GET, HEAD and DELETE, and into the body for other methods.
    public static let `default` = URLEncoding()
    /// An encoding into the query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// An encoding into the body.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// The part of the request that the parameters are written to; `methodDependent` by default.
    public var destination: Destination
    /// The format of an array; `brackets` by default.
    public var arrayEncoding: ArrayEncoding
    /// The format of a `Bool`; `numeric` by default.
    public var boolEncoding: BoolEncoding
    /// The format of `nil`; `dropKey` by default.
    public var nilEncoding: NilEncoding
    /// The format of a date; `iso8601` by default.
    public var dateEncoding: DateEncoding
    /// The format of data; `base64` by default.
    public var dataEncoding: DataEncoding
    /// The format of the keys of a nested dictionary; `brackets` by default.
    public var keyPathEncoding: KeyPathEncoding
    /// The format of a space; `percentEscaped` by default.
    public var spaceEncoding: SpaceEncoding

    /// Creates an encoding; for each parameter, see the property of the same name.
    public init(
        destination: Destination = .methodDependent, arrayEncoding: ArrayEncoding = .brackets,
        boolEncoding: BoolEncoding = .numeric, nilEncoding: NilEncoding = .dropKey,
        dateEncoding: DateEncoding = .iso8601, dataEncoding: DataEncoding = .base64,
        keyPathEncoding: KeyPathEncoding = .brackets, spaceEncoding: SpaceEncoding = .percentEscaped
    ) {
        self.destination = destination
        self.arrayEncoding = arrayEncoding
        self.boolEncoding = boolEncoding
        self.nilEncoding = nilEncoding
        self.dateEncoding = dateEncoding
        self.dataEncoding = dataEncoding
        self.keyPathEncoding = keyPathEncoding
        self.spaceEncoding = spaceEncoding
    }

    var intoQuery: URLEncoding {
        var encoding = self
        encoding.destination = .queryString
        return encoding
    }

    /// Returns the request with the parameters in the query or the body.
    ///
    /// Empty parameters do not change the request.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        let text = try text(parameters ?? [:])
        guard !text.isEmpty else { return request }
        guard encodesIntoQuery(HTTPMethod(rawValue: request.httpMethod ?? "GET")) else {
            return request.with(Data(text), ofType: Self.contentType)
        }
        guard let url = request.url else { throw ParameterError("the request has no URL to put the parameters into") }
        var request = request
        request.url = try url.appending(encodedQuery: text)
        return request
    }

    static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

    func text(_ parameters: [String: any Sendable]) throws -> [UInt8] {
        parameters.isEmpty ? [] : try text(ParameterValue(parameters))
    }

    func text(membersOf value: any Encodable & Sendable) throws -> [UInt8] {
        guard let parameters = try ParameterValueEncoder.encode(value), case .dictionary = parameters else {
            throw ParameterError(
                "\(type(of: value)) has no members to write as key=value. Send a struct or dictionary.")
        }
        return text(parameters)
    }

    private func text(_ parameters: ParameterValue) -> [UInt8] {
        var writer = URLParameterWriter(self)
        writer.write(parameters)
        return writer.text
    }

    func encodesIntoQuery(_ method: HTTPMethod) -> Bool {
        switch destination {
        case .queryString: true
        case .httpBody: false
        case .methodDependent: [.get, .head, .delete].contains(method)
        }
    }
}

extension URL {
    /// Returns the URL with the encoded query appended to its own query; a fragment remains at the end.
    func appending(encodedQuery query: [UInt8]) throws(ParameterError) -> URL {
        guard let url = URL(string: appending(encodedPath: "?" + String(decoding: query, as: UTF8.self))) else {
            throw ParameterError("the request's URL cannot have a query")
        }
        return url
    }
}

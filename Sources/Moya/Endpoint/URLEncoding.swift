public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// Parameters as `key=value&key=value`, in the query or in the body.
///
/// Keys are sorted. Unless said otherwise arrays are written `key[]=a&key[]=b`, dictionaries `key[member]=a`, booleans `1`
/// and `0`, dates as in ISO 8601, data in base 64, and what is nil is left out. In the body it sets
/// `Content-Type: application/x-www-form-urlencoded; charset=utf-8`, unless there is a content type.
public struct URLEncoding: ParameterEncoding {
    /// Where the parameters go.
    public enum Destination: Sendable, Hashable {
        /// The query of GET, HEAD and DELETE, the body of other methods.
        case methodDependent
        /// The query, behind what is there.
        case queryString
        /// The body.
        case httpBody
    }

    /// How the elements of an array are written.
    public enum ArrayEncoding: Sendable, Hashable {
        /// `key[]=a&key[]=b`.
        case brackets
        /// `key=a&key=b`.
        case noBrackets
        /// `key[0]=a&key[1]=b`.
        case indexInBrackets
    }

    /// How a truth value is written.
    public enum BoolEncoding: Sendable, Hashable {
        /// `1` and `0`.
        case numeric
        /// `true` and `false`.
        case literal
    }

    /// What becomes of a nil.
    ///
    /// It applies to nil in parameters, and to null that an `Encodable` writes. A synthesized `Encodable` leaves out properties
    /// that are nil: there is nothing to encode then, whatever stands here. Write `encode(to:)` with `encode`, not
    /// `encodeIfPresent`, to have them encoded.
    public enum NilEncoding: Sendable, Hashable {
        /// It is left out.
        case dropKey
        /// `key=`.
        case dropValue
        /// `key=null`.
        case null
    }

    /// How a date is written.
    public enum DateEncoding: Sendable {
        /// `2026-11-21T18:00:00Z`.
        case iso8601
        /// Seconds since 1970, with a fraction if there is one.
        case secondsSince1970
        /// Milliseconds since 1970.
        case millisecondsSince1970
        /// As the closure says.
        case custom(@Sendable (Date) -> String)
    }

    /// How bytes are written.
    public enum DataEncoding: Sendable, Hashable {
        /// In base 64.
        case base64
        /// Two lower-case digits a byte.
        case hexadecimal
    }

    /// How a dictionary's members are written.
    public enum KeyPathEncoding: Sendable, Hashable {
        /// `key[member]=a`.
        case brackets
        /// `key.member=a`.
        case dots
    }

    /// How a space is written.
    public enum SpaceEncoding: Sendable, Hashable {
        /// `%20`.
        case percentEscaped
        /// `+`, as browsers do in forms.
        case plusReplaced
    }

    /// The query of GET, HEAD and DELETE, the body of other methods.
    public static let `default` = URLEncoding()
    /// Always the query.
    public static let queryString = URLEncoding(destination: .queryString)
    /// Always the body.
    public static let httpBody = URLEncoding(destination: .httpBody)

    /// Where the parameters go.
    public var destination: Destination
    /// How the elements of an array are written.
    public var arrayEncoding: ArrayEncoding
    /// How a truth value is written.
    public var boolEncoding: BoolEncoding
    /// What becomes of a nil.
    public var nilEncoding: NilEncoding
    /// How a date is written.
    public var dateEncoding: DateEncoding
    /// How bytes are written.
    public var dataEncoding: DataEncoding
    /// How a dictionary's members are written.
    public var keyPathEncoding: KeyPathEncoding
    /// How a space is written.
    public var spaceEncoding: SpaceEncoding

    /// An encoding; each property is described where it stands.
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

    /// The same, always into the query.
    var intoQuery: URLEncoding {
        var encoding = self
        encoding.destination = .queryString
        return encoding
    }

    /// Puts the parameters into the query or the body.
    ///
    /// Empty parameters change nothing.
    public func encode(_ request: URLRequest, with parameters: [String: any Sendable]?) throws -> URLRequest {
        var request = request
        if let parameters { try encode(parameters, into: &request) }
        return request
    }

    func encode(_ parameters: [String: any Sendable], into request: inout URLRequest) throws {
        try encode(ParameterValue(parameters), into: &request)
    }

    /// Puts the members of a value into the query or the body.
    func encode(membersOf value: any Encodable & Sendable, into request: inout URLRequest) throws {
        guard let parameters = try ParameterValueEncoder.encode(value), case .dictionary = parameters else {
            throw ParameterError("\(type(of: value)) has no members to write as key=value: send a struct or dictionary")
        }
        try encode(parameters, into: &request)
    }

    private func encode(_ parameters: ParameterValue, into request: inout URLRequest) throws {
        var writer = URLParameterWriter(self)
        writer.write(parameters)
        guard !writer.text.isEmpty else { return }
        if goesIntoQuery(request.httpMethod ?? "GET") {
            guard let url = request.url?.appending(encodedQuery: String(decoding: writer.text, as: UTF8.self)) else {
                throw ParameterError("the request has no URL to put the parameters into")
            }
            request.url = url
        } else {
            request.setContentTypeIfMissing("application/x-www-form-urlencoded; charset=utf-8")
            request.httpBody = Data(writer.text)
        }
    }

    private func goesIntoQuery(_ method: String) -> Bool {
        switch destination {
        case .queryString: true
        case .httpBody: false
        case .methodDependent: [.get, .head, .delete].contains(HTTPMethod(rawValue: method))
        }
    }
}

extension URL {
    /// This URL with more parameters behind those in its query, and before its fragment.
    fileprivate func appending(encodedQuery query: String) -> URL? {
        let text = relativeString
        let end = text.utf8.firstIndex(of: UInt8(ascii: "#")) ?? text.endIndex
        let mark = text[..<end].utf8.firstIndex(of: UInt8(ascii: "?"))
        let joint = mark.map { text.utf8.index(after: $0) == end ? "" : "&" } ?? "?"
        return URL(string: "\(text[..<end])\(joint)\(query)\(text[end...])", relativeTo: baseURL)
    }
}

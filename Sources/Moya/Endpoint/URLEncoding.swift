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
        guard let parameters, !parameters.isEmpty else { return request }
        let text = try query(parameters)
        guard !text.isEmpty else { return request }
        var request = request
        if goesIntoQuery(HTTPMethod(rawValue: request.httpMethod ?? "GET")) {
            guard let url = request.url else {
                throw ParameterError("the request has no URL to put the parameters into")
            }
            request.url = try url.addingQuery(text)
        } else {
            request = request.withContentType(Self.contentType)
            request.httpBody = Data(text.utf8)
        }
        return request
    }

    /// The type of a form in the body.
    static let contentType = "application/x-www-form-urlencoded; charset=utf-8"

    /// The members of a value as `key=value`.
    ///
    /// The value is encoded as JSON first, which must give an object.
    func query(membersOf value: any Encodable & Sendable) throws -> String {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: date))
        }
        encoder.dataEncodingStrategy = .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(text(of: data))
        }
        guard case .object(let members) = try JSONValue(data: try encoder.encode(value)) else {
            throw ParameterError("\(type(of: value)) has no members to write as key=value: send a struct or dictionary")
        }
        return try query(members)
    }

    /// Whether the parameters of a request with the method go into its query.
    func goesIntoQuery(_ method: HTTPMethod) -> Bool {
        switch destination {
        case .queryString: true
        case .httpBody: false
        case .methodDependent: [.get, .head, .delete].contains(method)
        }
    }
}

// MARK: The text

extension URLEncoding {
    /// The parameters as `key=value`, percent-encoded.
    func query(_ parameters: [String: any Sendable]) throws(ParameterError) -> String {
        guard case .dictionary(let members) = try ParameterValue(parameters, at: "") else { return "" }
        return members.sorted { $0.key < $1.key }.flatMap { pairs($0.key, $0.value) }
            .map { "\(escaped($0))=\(escaped($1))" }
            .joined(separator: "&")
    }

    private func escaped(_ text: String) -> String {
        let escaped = text.percentEncoded(allowing: .query)
        return spaceEncoding == .plusReplaced ? escaped.replacing("%20", with: "+") : escaped
    }

    private func pairs(_ key: String, _ value: ParameterValue) -> [(String, String)] {
        switch value {
        case .null:
            switch nilEncoding {
            case .dropKey: []
            case .dropValue: [(key, "")]
            case .null: [(key, "null")]
            }
        case .array(let elements):
            elements.enumerated().flatMap { index, element in pairs(self.key(key, at: index), element) }
        case .dictionary(let members):
            members.sorted { $0.key < $1.key }.flatMap { name, member in
                pairs(keyPathEncoding == .dots ? "\(key).\(name)" : "\(key)[\(name)]", member)
            }
        case .bool(let value) where boolEncoding == .numeric: [(key, value ? "1" : "0")]
        case .date(let date): [(key, text(of: date))]
        case .data(let data): [(key, text(of: data))]
        default: [(key, value.text ?? "")]
        }
    }

    private func key(_ key: String, at index: Int) -> String {
        switch arrayEncoding {
        case .brackets: "\(key)[]"
        case .noBrackets: key
        case .indexInBrackets: "\(key)[\(index)]"
        }
    }

    private func text(of date: Date) -> String {
        switch dateEncoding {
        case .iso8601: date.formatted(.iso8601)
        case .secondsSince1970: ParameterValue.double(date.timeIntervalSince1970).text ?? ""
        case .millisecondsSince1970:
            ParameterValue.double((date.timeIntervalSince1970 * 1000).rounded()).text ?? ""
        case .custom(let text): text(date)
        }
    }

    private func text(of data: Data) -> String {
        switch dataEncoding {
        case .base64: data.base64EncodedString()
        case .hexadecimal: data.hexadecimal
        }
    }
}

import MoyaHTTP

/// A request header field that a response lists in `Vary`, with its value in the request (RFC 9111, section 4.1).
struct NominatedRequestField: Sendable, Hashable {
    /// The field name in lower case.
    let name: String
    /// The normalized value, or its hash if the value may be secret; `nil` if the request does not have the field.
    let value: String?

    init(name: String, in request: HTTPHeaders) {
        let name = name.lowercased()
        let value = request[name].map { Self.normalized($0, of: name) }
        let isPublic = HTTPHeaders.nonSensitiveNames.contains(name)
        self.init(name: name, value: isPublic ? value : value.map { MessageDigest.sha256($0.utf8).hexadecimal })
    }

    init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Returns a list value without the white space around its elements, so that equal lists become equal strings.
    ///
    /// The order of the elements is unchanged, because some servers prefer earlier elements (RFC 9110, section 12.5.4).
    private static func normalized(_ value: String, of name: String) -> String {
        let joined = ListFieldValue(value).elements.joined(separator: ",")
        // Section 12.5.4 of RFC 9110: language ranges are case-insensitive.
        return name == "accept-language" ? joined.lowercased() : joined
    }
}

/// The names of the request header fields that a response lists in `Vary` (RFC 9110, section 12.5.5).
enum VaryFieldNames: Sendable, Hashable {
    /// `*`: the response matches no later request.
    case any
    case fields([String])

    init(_ headers: HTTPHeaders) {
        let names = ListFieldValue(headers["Vary"] ?? "").elements.map { $0.lowercased() }
        self = names.contains("*") ? .any : .fields(Set(names).sorted())
    }

    /// The names in `Vary` and, for content with a coding, `Accept-Encoding`: transports decode only if a request lacks
    /// that field, so a response to one that has it can't be reused, whether or not the server sends `Vary`.
    init(ofStored headers: HTTPHeaders) {
        self.init(headers)
        guard case .fields(let names) = self, headers.hasContentCoding, !names.contains("accept-encoding") else {
            return
        }
        self = .fields((names + ["accept-encoding"]).sorted())
    }

    func nominated(in request: HTTPHeaders) -> [NominatedRequestField] {
        guard case .fields(let names) = self else { return [] }
        return names.map { NominatedRequestField(name: $0, in: request) }
    }
}

extension HTTPHeaders {
    var hasContentCoding: Bool {
        ListFieldValue(self["Content-Encoding"] ?? "").elements.contains { $0.lowercased() != "identity" }
    }
}

extension StoredResponse {
    /// Returns whether a request has the stored values in all fields that `Vary` lists (RFC 9111, section 4.1).
    func matches(_ request: HTTPHeaders) -> Bool {
        nominated.allSatisfy { NominatedRequestField(name: $0.name, in: request) == $0 }
    }
}

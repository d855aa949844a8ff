import MoyaHTTP

/// A request header field that a response lists in `Vary`, with its value in the request (RFC 9111, section 4.1).
struct NominatedRequestField: Sendable, Hashable {
    /// The field name in lower case.
    let name: String
    /// The normalized value, or its hash if the value may be secret; `nil` if the request does not have the field.
    let value: String?
}

extension NominatedRequestField {
    init(name: String, in request: HTTPHeaders) {
        let name = name.lowercased()
        // Without the white space around its elements, so that equal lists become equal strings. The order is kept,
        // because some servers prefer earlier elements. Language ranges are case-insensitive (RFC 9110, section
        // 12.5.4).
        var value = request[name].map { ListFieldValue($0).elements.joined(separator: ",") }
        if name == "accept-language" { value = value?.lowercased() }
        let isPublic = HTTPHeaders.nonSensitiveNames.contains(name)
        self.init(name: name, value: isPublic ? value : value.map { MessageDigest.sha256($0.utf8).hexadecimal })
    }
}

extension HTTPHeaders {
    /// The names in `Vary` (RFC 9110, section 12.5.5), in lower case; `nil` for `*`, which no later request matches.
    var variedFields: Set<String>? {
        let names = Set(ListFieldValue(self["Vary"] ?? "").elements.map { $0.lowercased() })
        return names.contains("*") ? nil : names
    }

    /// The fields of a request that `Vary` names and, for content with a coding, `Accept-Encoding`: transports decode
    /// only if a request lacks that field, so a response to one that has it can't be reused, whatever the server sends.
    func nominated(in request: HTTPHeaders) -> [NominatedRequestField] {
        guard var names = variedFields else { return [] }
        if hasContentCoding { names.insert("accept-encoding") }
        return names.sorted().map { NominatedRequestField(name: $0, in: request) }
    }
}

extension StoredResponse {
    /// Returns whether a request has the stored values in all fields that `Vary` lists (RFC 9111, section 4.1).
    func matches(_ request: HTTPHeaders) -> Bool {
        nominated.allSatisfy { NominatedRequestField(name: $0.name, in: request) == $0 }
    }
}

extension Sequence<StoredResponse> {
    /// Returns the responses that match a request, as ``StoredResponse/matches(_:)`` says.
    func matching(_ request: HTTPHeaders) -> [StoredResponse] {
        // There may be many variants, and the value of a field may be hashed.
        var fields: [String: NominatedRequestField] = [:]
        return filter { response in
            response.nominated.allSatisfy { stored in
                let field = fields[stored.name] ?? NominatedRequestField(name: stored.name, in: request)
                fields[stored.name] = field
                return field == stored
            }
        }
    }
}

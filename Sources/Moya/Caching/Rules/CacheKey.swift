import Foundation

/// The URL that a response is stored for, and the user that it belongs to (RFC 9111, section 2).
///
/// The scheme and the host are in lower case; a default port, an empty path and the fragment are normalised (RFC 9110,
/// section 4.2.3). The path and the query are unchanged. GET and HEAD share a key.
struct CacheKey: Sendable, Hashable {
    let url: String
    /// The result of ``CachingPolicy/partition``.
    let partition: String?

    init(_ url: URL, partition: String?) {
        self.init(url: Self.normalised(url), partition: partition)
    }

    /// - Parameter url: normalised.
    init(url: String, partition: String?) {
        self.url = url
        self.partition = partition
    }

    static func normalised(_ url: URL) -> String {
        let text = url.absoluteString
        return isNormalised(text.utf8) ? text : normalised(text[...])
    }

    /// Whether a URL is normalised already, as most are.
    ///
    /// It is `false` for a URL with a user or a port of less than four digits, even if that is normalised.
    private static func isNormalised(_ text: String.UTF8View) -> Bool {
        // The number of slashes so far: the host is between the second and the third one.
        var slashes = 0
        var hostLength = 0
        var portLength: Int?
        for byte in text {
            switch byte {
            case UInt8(ascii: "/"):
                slashes += 1
                if slashes == 3, hostLength == 0 || portLength ?? 4 < 4 { return false }
            case UInt8(ascii: "#"): return false
            case _ where slashes >= 3: break
            case UInt8(ascii: ":") where slashes == 0: break
            case UInt8(ascii: ":") where portLength == nil: portLength = 0
            case UInt8(ascii: "0")...UInt8(ascii: "9") where portLength != nil: portLength? += 1
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."),
                UInt8(ascii: "-"):
                guard portLength == nil else { return false }
                if slashes == 2 { hostLength += 1 }
            default: return false
            }
        }
        return slashes >= 3
    }

    private static func normalised(_ url: Substring) -> String {
        var text = url
        if let fragment = text.firstIndex(of: "#") { text = text[..<fragment] }
        guard let scheme = text.range(of: "://") else { return String(text) }
        let name = text[..<scheme.lowerBound].lowercased()
        let rest = text[scheme.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
        var authority = String(rest[..<end])
        if let at = authority.lastIndex(of: "@") {
            authority = authority[...at] + authority[authority.index(after: at)...].lowercased()
        } else {
            authority = authority.lowercased()
        }
        for suffix in [name == "http" ? ":80" : ":443", ":"] where authority.hasSuffix(suffix) {
            authority.removeLast(suffix.count)
            break
        }
        let path = rest[end...]
        return "\(name)://\(authority)\(path.hasPrefix("/") ? "" : "/")\(path)"
    }
}

/// The value of a request's field that `Vary` names (RFC 9111, section 4.1).
struct NominatedField: Sendable, Hashable {
    /// The name in lower case.
    let name: String
    /// Normalised, or a hash of that if it may be secret, because it is stored; `nil` if the request does not have the field.
    let value: String?

    /// Creates the value of a field.
    ///
    /// - Parameter request: the header fields of the request.
    init(name: String, in request: HTTPHeaders) {
        let name = name.lowercased()
        let value = request[name].map { Self.normalised($0, of: name) }
        let isPublic = HTTPHeaders.nonSensitiveNames.contains(name)
        self.init(name: name, value: isPublic ? value : value.map { MessageDigest.sha256($0.utf8).hexadecimal })
    }

    /// - Parameters:
    ///   - name: in lower case.
    ///   - value: as it is compared.
    init(name: String, value: String?) {
        self.name = name
        self.value = value
    }

    /// Returns the value with combined lines and without the white space around list elements.
    ///
    /// The order of elements is unchanged, because some servers treat it as a preference (RFC 9110, section 12.5.4).
    private static func normalised(_ value: String, of name: String) -> String {
        let joined = FieldList(value).elements.joined(separator: ",")
        // Section 12.5.4 of RFC 9110: language ranges are case-insensitive.
        return name == "accept-language" ? joined.lowercased() : joined
    }
}

/// The fields that `Vary` names (RFC 9110, section 12.5.5).
enum Vary: Sendable, Hashable {
    /// `*`: no request matches.
    case any
    case fields([String])

    init(_ headers: HTTPHeaders) {
        let names = FieldList(headers["Vary"] ?? "").elements.map { $0.lowercased() }
        self = names.contains("*") ? .any : .fields(Set(names).sorted())
    }

    /// Returns the request's values of the named fields.
    func nominated(in request: HTTPHeaders) -> [NominatedField] {
        guard case .fields(let names) = self else { return [] }
        return names.map { NominatedField(name: $0, in: request) }
    }
}

extension StoredResponse {
    /// Returns whether the request has the same values of all fields that `Vary` names (RFC 9111, section 4.1).
    func matches(_ request: HTTPHeaders) -> Bool {
        nominated.allSatisfy { NominatedField(name: $0.name, in: request) == $0 }
    }
}

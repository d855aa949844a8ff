import Foundation

/// The algorithms of RFC 6265, sections 5.2 and 5.3, with the limits, prefixes and checks of RFC 6265bis, sections 5.6
/// and 5.7.
///
/// The algorithms work on bytes, because a Swift character may combine a separator with the following scalars.
extension Cookie {
    /// The maximum length of name and value together, and of the value of an attribute, in bytes.
    private static let longestPair = 4096
    private static let longestAttribute = 1024
    /// The maximum age of a cookie (RFC 6265bis, section 5.5).
    private static let longestAge: TimeInterval = 400 * 86_400

    /// Creates the cookie that a value of `Set-Cookie` sets, or `nil` if it must be ignored.
    ///
    /// - Parameters:
    ///   - field: the value of one `Set-Cookie` field, which is never split at commas.
    ///   - request: the request whose response has the field.
    ///   - now: the current time.
    init?(setCookie field: String, for request: CookieRequest, now: Date) {
        let bytes = Array(field.utf8)
        guard !bytes.contains(where: \.isControl) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let (name, value) = Self.nameAndValue(parts[0]) else { return nil }
        let attributes = Attributes(parts.dropFirst(), now: now)

        guard attributes.domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        var domain = attributes.domain
        if !domain.hasSeveralLabels {
            // A domain of one label is treated as a public suffix: only the host with that name may set a cookie, for itself.
            guard domain.isEmpty || domain == request.host else { return nil }
            domain = ""
        }
        guard domain.isEmpty || request.host.maySetCookie(for: domain) else { return nil }
        guard request.isSecure || !attributes.isSecure else { return nil }
        self.init(
            name: name, value: value, domain: domain.isEmpty ? request.host : domain, isHostOnly: domain.isEmpty,
            path: attributes.path ?? request.defaultPath, expires: attributes.expiry,
            isSecure: attributes.isSecure, isHTTPOnly: attributes.isHTTPOnly)
        guard meetsPrefixRules(hasPath: attributes.path != nil) else { return nil }
        if let expires { self.expires = min(expires, now.addingTimeInterval(Self.longestAge)) }
    }

    /// Splits a pair at the first `=`; a pair without `=` is the value of a cookie without a name.
    private static func nameAndValue(_ pair: ArraySlice<UInt8>) -> (name: String, value: String)? {
        let equals = pair.firstIndex(of: UInt8(ascii: "="))
        let name = equals.map { pair[..<$0].trimmed } ?? []
        let value = (equals.map { pair[pair.index(after: $0)...] } ?? pair).trimmed
        guard !name.isEmpty || !value.isEmpty, name.count + value.count <= longestPair else { return nil }
        return (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }

    /// Returns whether the cookie meets the rules for the name prefixes `__Secure-` and `__Host-` (RFC 6265bis, section
    /// 4.1.3), which are not case-sensitive.
    private func meetsPrefixRules(hasPath: Bool) -> Bool {
        if name.isEmpty { return !value.hasASCIIPrefix("__secure-") && !value.hasASCIIPrefix("__host-") }
        if name.hasASCIIPrefix("__host-") { return isSecure && isHostOnly && hasPath && path == "/" }
        return !name.hasASCIIPrefix("__secure-") || isSecure
    }

    /// The attributes of a cookie; of several attributes of the same name, the last one applies.
    private struct Attributes {
        var domain = ""
        /// The path; `nil` for the default path.
        var path: String?
        var isSecure = false
        var isHTTPOnly = false
        private var expires: Date?
        private var maximumAge: Date?

        /// The expiry date; `Max-Age` takes precedence over `Expires`.
        var expiry: Date? { maximumAge ?? expires }

        init(_ parts: ArraySlice<ArraySlice<UInt8>>, now: Date) {
            for part in parts {
                let equals = part.firstIndex(of: UInt8(ascii: "="))
                let name = String(decoding: part[..<(equals ?? part.endIndex)].trimmed, as: UTF8.self)
                let value = equals.map { part[part.index(after: $0)...].trimmed } ?? []
                guard value.count <= longestAttribute else { continue }
                take(name, value, now)
            }
        }

        private mutating func take(_ name: String, _ value: ArraySlice<UInt8>, _ now: Date) {
            let text = String(decoding: value, as: UTF8.self)
            switch name.asciiLowercased {
            case "expires": expires = Date(cookieDate: text) ?? expires
            case "max-age": maximumAge = Self.age(value).map(now.addingTimeInterval) ?? maximumAge
            case "domain": domain = (text.hasASCIIPrefix(".") ? String(text.dropFirstByte()) : text).asciiLowercased
            case "path": path = value.first == UInt8(ascii: "/") ? text : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }

        /// Parses a value of `Max-Age`: an age in seconds, negative if the cookie has already expired.
        private static func age(_ value: ArraySlice<UInt8>) -> TimeInterval? {
            let isNegative = value.first == UInt8(ascii: "-")
            let digits = isNegative ? value.dropFirst() : value
            let text = String(decoding: digits, as: UTF8.self)
            guard text.isDigits else { return nil }
            let seconds = Int64(text) ?? .max
            return isNegative || seconds == 0 ? -longestAge : min(TimeInterval(seconds), longestAge)
        }
    }
}

extension ArraySlice<UInt8> {
    /// The bytes without leading and trailing spaces and tabs.
    fileprivate var trimmed: ArraySlice<UInt8> {
        func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return []
        }
        return self[first...last]
    }
}

extension String {
    /// The text with its ASCII letters in lower case.
    var asciiLowercased: String {
        String(
            decoding: utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// Returns whether the text starts with a prefix, without regard to the case of ASCII letters.
    ///
    /// - Parameter prefix: the prefix, in lower case.
    fileprivate func hasASCIIPrefix(_ prefix: String) -> Bool {
        String(decoding: utf8.prefix(prefix.utf8.count), as: UTF8.self).asciiLowercased.utf8.elementsEqual(prefix.utf8)
    }

    fileprivate func dropFirstByte() -> String { String(decoding: utf8.dropFirst(), as: UTF8.self) }
}

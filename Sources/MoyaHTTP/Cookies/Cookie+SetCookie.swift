import Foundation

/// Parses the field `Set-Cookie` (RFC 6265, sections 5.2 and 5.3; RFC 6265bis, sections 5.6 and 5.7).
///
/// The parser works on bytes, because a Swift `Character` can combine a separator with the scalars that follow it.
extension Cookie {
    /// The maximum length in bytes of a cookie's name and value together.
    private static let maximumPairLength = 4096
    private static let maximumAttributeLength = 1024
    /// The maximum lifetime of a cookie, in seconds (RFC 6265bis, section 5.5).
    private static let maximumLifetime: TimeInterval = 400 * 86_400

    // `bytes` is one field's value: a comma doesn't separate cookies. `nil` if the cookie must be ignored.
    init?(setCookie bytes: [UInt8], for request: CookieRequest, now: Date) {
        guard !bytes.contains(where: \.isControl) else { return nil }
        let parts = bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
        guard let pair = Self.nameAndValue(parts[0]) else { return nil }
        // Name and value are both Latin-1 if one of them is.
        let isLatin1 = OctetText(parts[0]).isLatin1
        func text(_ octets: ArraySlice<UInt8>) -> String {
            isLatin1 ? String(latin1: octets) : String(decoding: octets, as: UTF8.self)
        }
        var (domain, path) = ("", nil as String?)
        var (isSecure, isHTTPOnly) = (false, false)
        var (expires, expiryByAge) = (nil as Date?, nil as Date?)
        // If an attribute occurs more than once, the last occurrence applies.
        for part in parts.dropFirst() {
            let equals = part.firstIndex(of: UInt8(ascii: "="))
            let name = String(decoding: part[..<(equals ?? part.endIndex)].trimmed, as: UTF8.self)
            let value = equals.map { part[part.index(after: $0)...].trimmed } ?? []
            guard value.count <= Self.maximumAttributeLength else { continue }
            let text = String(decoding: value, as: UTF8.self)
            switch name.asciiLowercased {
            case "expires": expires = Date(cookieDate: text) ?? expires
            case "max-age": expiryByAge = Self.age(value).map(now.addingTimeInterval) ?? expiryByAge
            case "domain": domain = Self.host(value)
            case "path": path = value.first == UInt8(ascii: "/") ? text : nil
            case "secure": isSecure = true
            case "httponly": isHTTPOnly = true
            default: break
            }
        }
        guard domain.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
        if !domain.utf8.contains(UInt8(ascii: ".")) {
            // A domain of one label, such as `com`, may be a public suffix. It is accepted only if it equals the host,
            // and the cookie is then sent to this host only. This replaces a list of public suffixes.
            guard domain.isEmpty || domain == request.host else { return nil }
            domain = ""
        }
        guard domain.isEmpty || request.host.matches(domain: domain) else { return nil }
        guard request.isSecure || !isSecure else { return nil }
        let expiry = (expiryByAge ?? expires).map { min($0, now.addingTimeInterval(Self.maximumLifetime)) }
        self.init(
            name: text(pair.name), value: text(pair.value), domain: domain.isEmpty ? request.host : domain,
            isHostOnly: domain.isEmpty, path: path ?? request.defaultPath, expires: expiry, isSecure: isSecure,
            isHTTPOnly: isHTTPOnly)
        self.isLatin1 = isLatin1
        guard meetsPrefixRules(hasPath: path != nil) else { return nil }
    }

    /// Splits `name=value` at the first `=`; text without `=` is the value of a cookie without a name.
    private static func nameAndValue(_ pair: ArraySlice<UInt8>) -> (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>)?
    {
        let equals = pair.firstIndex(of: UInt8(ascii: "="))
        let name = equals.map { pair[..<$0].trimmed } ?? []
        let value = (equals.map { pair[pair.index(after: $0)...] } ?? pair).trimmed
        guard !name.isEmpty || !value.isEmpty, name.count + value.count <= maximumPairLength else { return nil }
        return (name, value)
    }

    // Whether the cookie meets the rules of its name's prefix, in any case (RFC 6265bis, section 4.1.3). A cookie
    // without a name is sent as its value alone, so its value must not begin with a prefix.
    private func meetsPrefixRules(hasPath: Bool) -> Bool {
        if name.isEmpty { return !["__secure-", "__host-", "__http-"].contains(where: value.hasASCIIPrefix) }
        if name.hasASCIIPrefix("__host-") {
            return isSecure && isHostOnly && hasPath && path == "/"
                && (isHTTPOnly || !name.hasASCIIPrefix("__host-http-"))
        }
        if name.hasASCIIPrefix("__http-") { return isSecure && isHTTPOnly }
        return !name.hasASCIIPrefix("__secure-") || isSecure
    }

    private static func host(_ value: ArraySlice<UInt8>) -> String {
        var host = value.first == UInt8(ascii: ".") ? value.dropFirst() : value
        if host.first == UInt8(ascii: "["), host.last == UInt8(ascii: "]") { host = host.dropFirst().dropLast() }
        return String(decoding: host, as: UTF8.self).asciiLowercased
    }

    /// For zero and negative values, the result is negative, so that the cookie expires immediately.
    private static func age(_ value: ArraySlice<UInt8>) -> TimeInterval? {
        let isNegative = value.first == UInt8(ascii: "-")
        let text = String(decoding: isNegative ? value.dropFirst() : value, as: UTF8.self)
        guard text.isDigits else { return nil }
        let seconds = Int64(text) ?? .max
        return isNegative || seconds == 0 ? -maximumLifetime : min(TimeInterval(seconds), maximumLifetime)
    }
}

extension String {
    /// Returns whether the text starts with a prefix, without regard to the case of ASCII letters.
    fileprivate func hasASCIIPrefix(_ prefix: String) -> Bool {
        String(decoding: utf8.prefix(prefix.utf8.count), as: UTF8.self).equalsIgnoringCase(prefix)
    }
}

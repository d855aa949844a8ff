package import Foundation

extension URL {
    /// Creates a URL; throws an error unless the string is an absolute `http` or `https` URL with a host (RFC 9110,
    /// section 4.2).
    package init(checkedForHTTP string: String) throws(TransportError) {
        guard let url = URL(keepingEscapesIn: string) else { throw .notHTTP(string) }
        try url.checkForHTTP()
        self = url
    }

    // Resolves a reference (RFC 3986, section 5). Characters that a URL must not contain are encoded, and escapes are
    // kept: Foundation's initializer would encode the `%` of an escape, too, if another character must be encoded.
    package init?(keepingEscapesIn reference: String, relativeTo base: URL? = nil) {
        guard reference.utf8.contains(UInt8(ascii: "%")) else {
            self.init(string: reference, relativeTo: base)
            return
        }
        var start = reference.startIndex
        if let slashes = reference.range(of: "//"),
            slashes.lowerBound == start || reference[..<slashes.lowerBound].hasSuffix(":"),
            !reference[..<slashes.lowerBound].contains(where: { "/?#".contains($0) })
        {
            start = reference[slashes.upperBound...].firstIndex { "/?#".contains($0) } ?? reference.endIndex
        }
        let parts = reference[start...].split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let encoded = parts.map { $0.percentEncoded(allowing: .wholeQuery, keepingEscapes: true) }.joined(
            separator: "#")
        self.init(string: reference[..<start] + encoded, relativeTo: base)
    }

    package func checkForHTTP() throws(TransportError) {
        let scheme = scheme?.lowercased()
        guard scheme == "http" || scheme == "https", host()?.isEmpty == false, (0...65_535).contains(port ?? 80) else {
            throw .notHTTP(absoluteString)
        }
    }

    package var isSecure: Bool { scheme?.lowercased() == "https" }

    /// The port, or the default port of the scheme.
    package var effectivePort: Int { port ?? (isSecure ? 443 : 80) }

    /// The origin: scheme, host and port (RFC 9110, section 4.3.1).
    package var origin: String {
        "\(scheme?.lowercased() ?? "")://\(host(percentEncoded: false)?.lowercased() ?? ""):\(effectivePort)"
    }

    package var withoutFragment: URL {
        guard let fragment = absoluteString.firstIndex(of: "#") else { return self }
        return URL(string: String(absoluteString[..<fragment])) ?? self
    }

    package var hostAndPort: String {
        let name = host(percentEncoded: false) ?? ""
        let host = name.contains(":") ? "[\(name)]" : name  // an IPv6 address
        return port.map { "\(host):\($0)" } ?? host
    }

    /// The URL without user, password, query and fragment, which may be secret and must not be logged with an error.
    package var withoutSecrets: URL? { URL(string: absoluteString.withoutQuery.withoutUser) }
}

extension TransportError {
    fileprivate static func notHTTP(_ url: String) -> TransportError {
        .invalid("\(url.withoutQuery.withoutUser.debugDescription) is not an absolute http or https URL with a host")
    }
}

extension String {
    /// The URL without its query and fragment, because these two parts may contain secrets.
    package var withoutQuery: String { String(prefix { $0 != "?" && $0 != "#" }) }

    /// The URL without its user and password, also if it is not a valid URL.
    package var withoutUser: String {
        let start = range(of: "://")?.upperBound ?? startIndex
        guard let at = self[start...].prefix(while: { $0 != "/" }).lastIndex(of: "@") else { return self }
        return String(self[..<start] + self[index(after: at)...])
    }

    /// The name of a host as URLs have it: in lower case and in ASCII (RFC 5890), an IPv6 address without brackets, and
    /// without a trailing dot; `nil` if it is not the name of a host.
    package var canonicalHost: String? {
        let name = trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
        // Of an IPv6 address, the part after `%` is a zone.
        let address = name.prefix { $0 != "%" }
        let isIPv6 = address.count { $0 == ":" } > 1 && address.allSatisfy { $0.isHexDigit || ":.".contains($0) }
        guard isIPv6 || !name.hasPrefix(".") && !name.contains(where: { ":*".contains($0) }) else { return nil }
        let url = URL(string: "https://\(isIPv6 ? "[\(name.replacing("%", with: "%25"))]" : name)/")
        guard let url, url.user() == nil, url.path() == "/", url.query() == nil,
            let host = url.host(percentEncoded: false)?.lowercased(), !host.isEmpty
        else { return nil }
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }
}

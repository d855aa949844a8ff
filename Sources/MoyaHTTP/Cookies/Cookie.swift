public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// A cookie of a ``CookieJar`` (RFC 6265).
public struct Cookie: Sendable, Hashable {
    /// The name; empty if the server sent only a value.
    public var name: String
    /// The value, as it is sent.
    public var value: String
    /// The host that the cookie is sent to, in lower case; see also ``isHostOnly``.
    public var domain: String
    /// Whether the cookie is sent to ``domain`` only, and not to its subdomains.
    public var isHostOnly: Bool
    /// The path that the cookie is sent to, including the paths below it.
    public var path: String
    /// The expiry date; `nil` if the cookie is stored as long as the jar exists.
    public var expires: Date?
    /// Whether the cookie is sent over TLS only.
    public var isSecure: Bool
    /// Whether the server has set `HttpOnly`, which has no effect outside of browsers.
    public var isHTTPOnly: Bool
    /// Whether the server has set name and value in Latin-1, so that they are sent in Latin-1.
    var isLatin1 = false

    /// Creates a cookie; see its properties.
    public init(
        name: String, value: String, domain: String, isHostOnly: Bool = true, path: String = "/",
        expires: Date? = nil, isSecure: Bool = false, isHTTPOnly: Bool = false
    ) {
        self.name = name
        self.value = value
        self.domain = domain.lowercased()
        self.isHostOnly = isHostOnly
        self.path = path
        self.expires = expires
        self.isSecure = isSecure
        self.isHTTPOnly = isHTTPOnly
    }

    /// Creates a cookie from a Foundation cookie.
    public init(_ cookie: HTTPCookie) {
        let domain = cookie.domain.lowercased()
        self.init(
            name: cookie.name, value: cookie.value, domain: domain.hasPrefix(".") ? String(domain.dropFirst()) : domain,
            isHostOnly: !domain.hasPrefix("."), path: cookie.path, expires: cookie.expiresDate,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly)
    }

    /// The cookie as an `HTTPCookie`; `nil` if Foundation rejects the cookie, for example because its name is empty.
    public var httpCookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: isHostOnly ? domain : ".\(domain)", .path: path,
        ]
        if let expires { properties[.expires] = expires }
        if isSecure { properties[.secure] = "TRUE" }
        if isHTTPOnly { properties[HTTPCookiePropertyKey("HttpOnly")] = "TRUE" }
        return HTTPCookie(properties: properties)
    }

    var nameOctets: [UInt8] { OctetText(name, isLatin1: isLatin1).octets }

    /// The name and value in the form of the header field `Cookie`, as bytes.
    var pair: [UInt8] { OctetText(name.isEmpty ? value : "\(name)=\(value)", isLatin1: isLatin1).octets }
}

extension Cookie: CustomStringConvertible {
    /// The name, domain and path, without the value, which may be secret.
    public var description: String { "\(name) for \(domain)\(path)" }
}

extension Cookie {
    func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }

    /// Returns whether host, path and scheme of a request match the cookie (RFC 6265, section 5.4).
    func matches(_ request: CookieRequest) -> Bool {
        (isHostOnly ? request.host.utf8.elementsEqual(domain.utf8) : request.host.matches(domain: domain))
            && request.path.matches(cookiePath: path) && (request.isSecure || !isSecure)
    }

    /// Whether this secure cookie prevents a response without TLS from setting `other` (RFC 6265bis, section 5.7).
    func isProtected(from other: Cookie) -> Bool {
        isSecure && nameOctets == other.nameOctets
            && (domain.matches(domain: other.domain) || other.domain.matches(domain: domain))
            && other.path.matches(cookiePath: path)
    }
}

struct CookieRequest {
    let host: String
    let path: String
    let isSecure: Bool

    init(_ url: URL) {
        host = url.host(percentEncoded: false)?.lowercased() ?? ""
        let path = url.path()
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
        isSecure = url.isSecure
    }

    // The host and its parent domains. A host of more than 253 bytes is not a DNS name, and has no parents.
    var domains: [String] {
        guard host.utf8.count <= 253 else { return [host] }
        let dots = host.utf8.indices.filter { host.utf8[$0] == UInt8(ascii: ".") }
        return [host] + dots.map { String(host[host.utf8.index(after: $0)...]) }
    }

    /// The default path of a cookie: the directory of the request's path (RFC 6265, section 5.1.4).
    var defaultPath: String {
        let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
        return directory.isEmpty ? "/" : String(directory)
    }
}

extension String {
    /// Returns whether a host matches a domain (RFC 6265, section 5.1.3).
    func matches(domain: String) -> Bool {
        if utf8.elementsEqual(domain.utf8) { return true }
        let suffix = ".\(domain)".utf8
        return !domain.isEmpty && utf8.count > suffix.count && utf8.suffix(suffix.count).elementsEqual(suffix)
            && !isAddress
    }

    /// Returns whether the path of a request matches the path of a cookie (RFC 6265, section 5.1.4).
    fileprivate func matches(cookiePath: String) -> Bool {
        guard utf8.starts(with: cookiePath.utf8) else { return false }
        let slash = UInt8(ascii: "/")
        return utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == slash
            || utf8.dropFirst(cookiePath.utf8.count).first == slash
    }

    private var isAddress: Bool {
        utf8.contains(UInt8(ascii: ":"))
            || split(separator: ".", omittingEmptySubsequences: false).count == 4
                && utf8.allSatisfy { $0 == UInt8(ascii: ".") || $0.isDigit }
    }
}

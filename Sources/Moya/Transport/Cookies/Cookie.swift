#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// A cookie of a ``CookieJar`` (RFC 6265).
public struct Cookie: Sendable, Hashable {
    /// The name; empty if the server gave a value alone.
    public var name: String
    /// The value, as it is sent.
    public var value: String
    /// The host that the cookie is for, in lower case; without ``isHostOnly`` also for the hosts below it.
    public var domain: String
    /// Whether the cookie is for ``domain`` alone, and not for the hosts below it.
    public var isHostOnly: Bool
    /// The path that the cookie is for, and for all below it.
    public var path: String
    /// When the cookie expires; `nil`: never, as long as the jar lives.
    public var expires: Date?
    /// Whether the cookie is sent over TLS only.
    public var isSecure: Bool
    /// Whether the server asked for `HttpOnly`, which means nothing outside of browsers.
    public var isHTTPOnly: Bool

    /// A cookie.
    ///
    /// - Parameters:
    ///   - name: the name.
    ///   - value: the value, as it is sent.
    ///   - domain: the host that it is for.
    ///   - isHostOnly: whether it is for that host alone, and not for the hosts below it.
    ///   - path: the path that it is for, and for all below it.
    ///   - expires: when it expires; `nil`: never.
    ///   - isSecure: whether it is sent over TLS only.
    ///   - isHTTPOnly: whether the server asked for `HttpOnly`.
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

    /// Foundation's cookie as one of a jar.
    public init(_ cookie: HTTPCookie) {
        let domain = cookie.domain.lowercased()
        self.init(
            name: cookie.name, value: cookie.value, domain: domain.hasPrefix(".") ? String(domain.dropFirst()) : domain,
            isHostOnly: !domain.hasPrefix("."), path: cookie.path, expires: cookie.expiresDate,
            isSecure: cookie.isSecure, isHTTPOnly: cookie.isHTTPOnly)
    }

    /// The same as Foundation's cookie; `nil` for what Foundation refuses, such as a cookie without a name.
    public var httpCookie: HTTPCookie? {
        var properties: [HTTPCookiePropertyKey: Any] = [
            .name: name, .value: value, .domain: isHostOnly ? domain : ".\(domain)", .path: path,
        ]
        if let expires { properties[.expires] = expires }
        if isSecure { properties[.secure] = "TRUE" }
        return HTTPCookie(properties: properties)
    }

    /// The pair that is sent.
    var pair: String { name.isEmpty ? value : "\(name)=\(value)" }
}

extension Cookie: CustomStringConvertible {
    /// The name, domain and path: the value may be secret.
    public var description: String { "\(name) for \(domain)\(path)" }
}

// MARK: Matching

extension Cookie {
    /// Whether a request is sent with the cookie, as far as host, path and scheme decide (RFC 6265, section 5.4).
    func matches(_ request: CookieRequest) -> Bool {
        (isHostOnly ? request.host.utf8.elementsEqual(domain.utf8) : request.host.matches(domain: domain))
            && request.path.matches(cookiePath: path) && (request.isSecure || !isSecure)
    }

    /// Whether another cookie, which a request without TLS sets, would replace or shadow this secure one (RFC 6265bis, section
    /// 5.7, "leave secure cookies alone").
    func isProtected(from other: Cookie) -> Bool {
        isSecure && name.utf8.elementsEqual(other.name.utf8)
            && (domain.matches(domain: other.domain) || other.domain.matches(domain: domain))
            && other.path.matches(cookiePath: path)
    }
}

/// The parts of a request that decide about cookies.
struct CookieRequest {
    /// In lower case.
    let host: String
    let path: String
    let isSecure: Bool

    init(_ url: URL) {
        host = url.host(percentEncoded: false)?.lowercased() ?? ""
        let path = url.path()
        self.path = path.utf8.first == UInt8(ascii: "/") ? path : "/"
        isSecure = url.scheme?.lowercased() == "https"
    }

    /// RFC 6265, section 5.1.4: the directory of the path.
    var defaultPath: String {
        let directory = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
        return directory.isEmpty ? "/" : String(directory)
    }
}

extension String {
    /// RFC 6265, section 5.1.3.
    fileprivate func matches(domain: String) -> Bool {
        if utf8.elementsEqual(domain.utf8) { return true }
        let suffix = ".\(domain)".utf8
        return !domain.isEmpty && utf8.count > suffix.count && utf8.suffix(suffix.count).elementsEqual(suffix)
            && !isAddress
    }

    /// RFC 6265, section 5.1.4.
    fileprivate func matches(cookiePath: String) -> Bool {
        guard utf8.starts(with: cookiePath.utf8) else { return false }
        let slash = UInt8(ascii: "/")
        return utf8.count == cookiePath.utf8.count || cookiePath.utf8.last == slash
            || utf8.dropFirst(cookiePath.utf8.count).first == slash
    }

    /// Whether it is an IP address rather than a name.
    private var isAddress: Bool {
        utf8.contains(UInt8(ascii: ":"))
            || split(separator: ".", omittingEmptySubsequences: false).count == 4
                && utf8.allSatisfy { $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }

    /// Whether cookies may be set for a domain and the hosts below it, in place of the list of public suffixes: not for `com`.
    var hasSeveralLabels: Bool { utf8.contains(UInt8(ascii: ".")) }

    /// Whether a host may set a cookie for a domain.
    func maySetCookie(for domain: String) -> Bool { matches(domain: domain) }
}

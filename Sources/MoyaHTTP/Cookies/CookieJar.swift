public import Foundation

/// A store of cookies in memory, for one or several providers (RFC 6265, with the storage model of RFC 6265bis).
///
/// By default a provider has no jar. Providers with the same jar share its cookies. Each request, including
/// one that follows a redirect, is sent with the cookies that match its host and path. Secure cookies are sent over
/// TLS only. The jar is not used for a request that has a `Cookie` field. A jar may be used from any thread.
///
/// A response without TLS cannot set, replace or displace secure cookies. The name prefixes `__Secure-`, `__Host-`,
/// `__Http-` and `__Host-Http-` are enforced. The jar has no list of public suffixes: it rejects a cookie for a domain
/// of one label, such as `com`, but accepts a cookie for `co.uk`. `SameSite` has no effect, and `HttpOnly` only with
/// these prefixes. Names and values are sent with the bytes that the server has set, except with
/// ``URLSessionTransport``, which sends UTF-8 only.
///
/// A jar stores up to 3000 cookies, and up to 180 per domain. Beyond that, cookies without `Secure` are removed first,
/// and among equals those that were not stored or sent for the longest time. Of a response that sets more than 180
/// cookies, the last 180 are stored.
///
/// ```swift
/// let jar = CookieJar()
/// let provider = MoyaProvider<Shop>(cookies: jar)
/// // … and after the log-out
/// jar.removeAll()
/// ```
public final class CookieJar: Sendable {
    /// A jar that providers of the process can share.
    public static let shared = CookieJar()

    // In bytes. A server could otherwise make all requests to its host too long for libcurl.
    private static let maximumFieldLength = 64 << 10

    private let now: @Sendable () -> Date
    private let stored = Locked(StoredCookies())

    /// Creates an empty jar.
    public convenience init() {
        self.init { Date() }
    }

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// All cookies that have not expired, in no particular order.
    public var cookies: [Cookie] {
        let now = now()
        return stored.withLock { $0.cookies }.filter { !$0.hasExpired(at: now) }
    }

    /// Returns the cookies to send with a request for the URL (RFC 6265, section 5.4).
    ///
    /// The cookies are sorted by decreasing length of their paths, then by the time when they were first stored. A
    /// request is sent without those that would make its field `Cookie` longer than about 64 KiB.
    public func cookies(for url: URL) -> [Cookie] {
        let request = CookieRequest(url)
        let now = now()
        return stored.withLock { $0.cookies(for: request, at: now) }
    }

    /// Stores a cookie, which replaces a stored cookie with the same name, domain, ``Cookie/isHostOnly`` and path.
    ///
    /// If `cookie` has expired, the stored cookie is removed, and `cookie` is not stored.
    public func store(_ cookie: Cookie) {
        let now = now()
        stored.withLock { $0.store([cookie], isSecure: true, at: now) }
    }

    /// Removes all cookies.
    public func removeAll() {
        stored.withLock { $0 = StoredCookies() }
    }

    package func field(for url: URL) -> HTTPHeaders.Field? {
        var content: [UInt8] = []
        for pair in cookies(for: url).map(\.pair) where content.count + pair.count <= Self.maximumFieldLength {
            content += (content.isEmpty ? "" : "; ").utf8
            content += pair
        }
        return content.isEmpty ? nil : HTTPHeaders.Field(name: "Cookie", content: OctetText(content))
    }

    package func store(_ head: ResponseHead, from url: URL) {
        let fields = head.headers.fields.filter { $0.isNamed("Set-Cookie") }
        if fields.isEmpty { return }
        let request = CookieRequest(url)
        let now = now()
        let cookies = fields.compactMap { Cookie(setCookie: $0.content.octets, for: request, now: now) }
        stored.withLock { $0.store(cookies, isSecure: request.isSecure, at: now) }
    }
}

public import Foundation

/// A store of cookies in memory, for one or several providers (RFC 6265, with the storage model of RFC 6265bis).
///
/// By default a provider has no jar. Providers with the same jar share its cookies. Each request, including
/// one that follows a redirect, is sent with the cookies that match its host and path. Secure cookies are sent over
/// TLS only. The jar is not used for a request that has a `Cookie` field. A jar may be used from any thread.
///
/// A response without TLS cannot set or replace secure cookies. The name prefixes `__Secure-` and `__Host-` are
/// enforced. The jar has no list of public suffixes: it rejects a cookie for a domain of one label, such as `com`, but
/// accepts a cookie for `co.uk`. `SameSite` and `HttpOnly` have no effect.
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

    /// The maximum number of cookies in the jar; when it is exceeded, the oldest is removed (RFC 6265, section 6.1).
    private static let maximumCount = 3000
    private static let maximumCountPerDomain = 180

    /// The properties that identify a cookie in the jar.
    ///
    /// The strings are compared as bytes, as servers do. `String` would treat canonically equivalent strings as equal.
    private struct Key: Hashable {
        let name: [UInt8]
        let domain: [UInt8]
        let isHostOnly: Bool
        let path: [UInt8]

        init(_ cookie: Cookie) {
            name = Array(cookie.name.utf8)
            domain = Array(cookie.domain.utf8)
            isHostOnly = cookie.isHostOnly
            path = Array(cookie.path.utf8)
        }
    }

    private struct Entry: Sendable {
        let cookie: Cookie
        let order: UInt64
    }

    private struct State: Sendable {
        var entries: [Key: Entry] = [:]
        var stored: UInt64 = 0
    }

    private let now: @Sendable () -> Date
    private let state = Locked(State())

    /// Creates an empty jar.
    public convenience init() {
        self.init { Date() }
    }

    /// - Parameter now: returns the current time.
    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// All cookies that have not expired, in no particular order.
    public var cookies: [Cookie] {
        let now = now()
        return state.withLock { $0.entries.values.map(\.cookie) }.filter { !$0.hasExpired(at: now) }
    }

    /// Returns the cookies to send with a request for the URL (RFC 6265, section 5.4).
    ///
    /// The cookies are sorted by decreasing length of their paths, then by the time when they were first stored.
    public func cookies(for url: URL) -> [Cookie] {
        let request = CookieRequest(url)
        let now = now()
        let entries = state.withLock { $0.entries.values.filter { $0.cookie.matches(request) } }
        return entries.filter { !$0.cookie.hasExpired(at: now) }.sorted { left, right in
            let lengths = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : left.order < right.order
        }.map(\.cookie)
    }

    /// Stores a cookie, which replaces a stored cookie with the same name, domain, ``Cookie/isHostOnly`` and path.
    ///
    /// If `cookie` has expired, the stored cookie is removed, and `cookie` is not stored.
    public func store(_ cookie: Cookie) {
        store(cookie, unless: { _ in false })
    }

    private func store(_ cookie: Cookie, unless isRefused: (Cookie) -> Bool) {
        let key = Key(cookie)
        let now = now()
        let hasExpired = cookie.hasExpired(at: now)
        state.withLock { state in
            if state.entries.values.contains(where: { $0.cookie.hasExpired(at: now) }) {
                state.entries = state.entries.filter { !$0.value.cookie.hasExpired(at: now) }
            }
            if state.entries.values.contains(where: { isRefused($0.cookie) }) { return }
            let order = state.entries[key]?.order ?? state.stored
            state.stored += 1
            state.entries[key] = hasExpired ? nil : Entry(cookie: cookie, order: order)
            let ofDomain = state.entries.filter { $0.key.domain == key.domain }
            let overfull =
                ofDomain.count > Self.maximumCountPerDomain
                ? ofDomain : state.entries.count > Self.maximumCount ? state.entries : [:]
            if let oldest = overfull.min(by: { $0.value.order < $1.value.order }) { state.entries[oldest.key] = nil }
        }
    }

    /// Removes all cookies.
    public func removeAll() {
        state.withLock { $0.entries = [:] }
    }

    /// Returns the value of the field `Cookie` for a request, or `nil` if there are no cookies.
    func field(for url: URL) -> String? {
        let cookies = cookies(for: url)
        return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
    }

    /// Stores the cookies of a response, except those that the server may not set.
    func store(_ head: ResponseHead, from url: URL) {
        let fields = head.headers.values(for: "Set-Cookie")
        if fields.isEmpty { return }
        let request = CookieRequest(url)
        for field in fields {
            guard let cookie = Cookie(setCookie: field, for: request, now: now()) else { continue }
            store(cookie) { !request.isSecure && $0.isProtected(from: cookie) }
        }
    }
}

extension Cookie {
    fileprivate func hasExpired(at now: Date) -> Bool { expires.map { $0 <= now } ?? false }
}

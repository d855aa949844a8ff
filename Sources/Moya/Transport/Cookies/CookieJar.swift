public import Foundation

/// The cookies of one or several providers, in memory (RFC 6265, with the storage model of RFC 6265bis).
///
/// A provider has none unless it is given a jar; providers that are given the same one share it. Cookies go to the hosts and
/// paths that they are for, secure ones over TLS only, also to those that a redirect leads to. A request whose `Cookie` field
/// is set already is left alone. May be used from any thread.
///
/// A response without TLS sets no secure cookies and replaces none; the prefixes `__Secure-` and `__Host-` are enforced. The
/// list of public suffixes is not known: a cookie for a domain of one label, such as `com`, is refused, but one for `co.uk`
/// is not. `SameSite` and `HttpOnly` mean nothing here.
///
/// ```swift
/// let jar = CookieJar()
/// let provider = MoyaProvider<Shop>(cookies: jar)
/// // … and after the log-out
/// jar.removeAll()
/// ```
public final class CookieJar: Sendable {
    /// The jar of the process, for providers that share it.
    public static let shared = CookieJar()

    /// How many cookies are stored at most (RFC 6265, section 6.1); the oldest go first.
    private static let mostInAll = 3000
    private static let mostOfADomain = 180

    /// Compares bytes: to Swift, texts are equal that servers tell apart.
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

    /// An empty jar.
    public convenience init() {
        self.init { Date() }
    }

    /// - Parameter now: gives the present time.
    init(now: @escaping @Sendable () -> Date) {
        self.now = now
    }

    /// All cookies that have not expired, in no order.
    public var cookies: [Cookie] {
        let now = now()
        return state.withLock { $0.entries.values.map(\.cookie) }.filter { !$0.hasExpired(at: now) }
    }

    /// The cookies that a request for a URL is sent with: those of longer paths first, then those that were stored first
    /// (RFC 6265, section 5.4).
    public func cookies(for url: URL) -> [Cookie] {
        let request = CookieRequest(url)
        let now = now()
        let entries = state.withLock { $0.entries.values.filter { $0.cookie.matches(request) } }
        return entries.filter { !$0.cookie.hasExpired(at: now) }.sorted { left, right in
            let lengths = (left.cookie.path.utf8.count, right.cookie.path.utf8.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : left.order < right.order
        }.map(\.cookie)
    }

    /// Stores a cookie in place of the one with the same name, domain and path; one that has expired removes that.
    public func store(_ cookie: Cookie) {
        store(cookie, unless: { _ in false })
    }

    private func store(_ cookie: Cookie, unless isRefused: (Cookie) -> Bool) {
        let key = Key(cookie)
        let now = now()
        let isOver = cookie.hasExpired(at: now)
        state.withLock { state in
            if state.entries.values.contains(where: { $0.cookie.hasExpired(at: now) }) {
                state.entries = state.entries.filter { !$0.value.cookie.hasExpired(at: now) }
            }
            if state.entries.values.contains(where: { isRefused($0.cookie) }) { return }
            let order = state.entries[key]?.order ?? state.stored
            state.stored += 1
            state.entries[key] = isOver ? nil : Entry(cookie: cookie, order: order)
            let crowd = state.entries.filter { $0.key.domain == key.domain }
            let full =
                crowd.count > Self.mostOfADomain ? crowd : state.entries.count > Self.mostInAll ? state.entries : [:]
            if let oldest = full.min(by: { $0.value.order < $1.value.order }) { state.entries[oldest.key] = nil }
        }
    }

    /// Removes all cookies.
    public func removeAll() {
        state.withLock { $0.entries = [:] }
    }

    /// The value of `Cookie` for a request; `nil` if there are none.
    func field(for url: URL) -> String? {
        let cookies = cookies(for: url)
        return cookies.isEmpty ? nil : cookies.map(\.pair).joined(separator: "; ")
    }

    /// Stores what a response sets, as far as the server may.
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

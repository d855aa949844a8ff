#if canImport(FoundationNetworking)
    public import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The cookies of one or several providers (RFC 6265), in memory.
///
/// A provider has none unless it is given a jar; providers that are given the same one share it. Cookies go to the hosts and
/// paths that they are for, secure ones over TLS only, also to those that a redirect leads to. A request whose `Cookie` field
/// is set already is left alone. May be used from any thread.
///
/// ```swift
/// let jar = CookieJar()
/// let provider = MoyaProvider<Shop>(cookies: jar)
/// // … and after the log-out
/// jar.removeAll()
/// ```
public final class CookieJar: Sendable {
    /// The one of the process, for those who want to share it.
    public static let shared = CookieJar()

    /// What servers may store at most (RFC 6265, section 6.1).
    private static let mostInAll = 3000
    private static let mostOfADomain = 180
    private static let longest = 4096

    private struct Key: Hashable {
        let domain: String
        let path: String
        let name: String
    }

    private struct Entry: Sendable {
        let cookie: HTTPCookie
        let expires: Date?
        let order: UInt64
    }

    private struct State: Sendable {
        var entries: [Key: Entry] = [:]
        var stored: UInt64 = 0
    }

    private let state = Guarded(State())

    /// An empty jar.
    public init() {}

    /// All cookies, in no order.
    public var cookies: [HTTPCookie] { state.withLock { $0.entries.values.map(\.cookie) } }

    /// The cookies that a request for a URL is sent with, those of longer paths first (RFC 6265, section 5.4).
    public func cookies(for url: URL) -> [HTTPCookie] {
        let host = url.cookieHost
        let path = url.path().isEmpty ? "/" : url.path()
        let isSecure = url.scheme?.lowercased() == "https"
        let now = Date()
        let entries = state.withLock { state in
            state.entries.values.filter { entry in
                let cookie = entry.cookie
                return cookie.isFor(host: host) && cookie.isFor(path: path) && (isSecure || !cookie.isSecure)
                    && entry.expires.map { $0 > now } != false
            }
        }
        return entries.sorted { left, right in
            let lengths = (left.cookie.path.count, right.cookie.path.count)
            return lengths.0 != lengths.1 ? lengths.0 > lengths.1 : left.order < right.order
        }.map(\.cookie)
    }

    /// Stores a cookie; one with the same domain, path and name is replaced, and one that is over removes it.
    public func store(_ cookie: HTTPCookie) {
        store(cookie, expires: cookie.expiresDate)
    }

    private func store(_ cookie: HTTPCookie, expires: Date?) {
        let key = Key(domain: cookie.domain.lowercased(), path: cookie.path, name: cookie.name)
        let isOver = expires.map { $0 <= Date() } == true
        let dropped = state.withLock { state -> [Entry] in
            let order = state.entries[key]?.order ?? state.stored
            state.stored += 1
            let former = state.entries.removeValue(forKey: key)
            guard !isOver else { return [former].compactMap(\.self) }
            state.entries[key] = Entry(cookie: cookie, expires: expires, order: order)
            let crowd = state.entries.filter { $0.key.domain == key.domain }
            let oldest =
                crowd.count > Self.mostOfADomain
                ? crowd.min { $0.value.order < $1.value.order }
                : state.entries.count > Self.mostInAll ? state.entries.min { $0.value.order < $1.value.order } : nil
            return [former, oldest.flatMap { state.entries.removeValue(forKey: $0.key) }].compactMap(\.self)
        }
        withExtendedLifetime(dropped) {}
    }

    /// Forgets them all.
    public func removeAll() {
        let dropped = state.withLock { state in
            defer { state.entries = [:] }
            return state.entries
        }
        withExtendedLifetime(dropped) {}
    }

    /// The value of `Cookie` for a request; nil if there are none.
    func field(for url: URL) -> String? {
        let cookies = cookies(for: url)
        return cookies.isEmpty ? nil : cookies.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }

    /// Stores what an answer sets, as far as the server may.
    func store(_ head: ResponseHead, from url: URL) {
        let isSecure = url.scheme?.lowercased() == "https"
        for value in head.headers.values(for: "Set-Cookie").flatMap(\.splitCookies) where !value.contains("\0") {
            for cookie in HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url) {
                guard cookie.mayBeSet(by: url.cookieHost), isSecure || !cookie.isSecure,
                    cookie.name.utf8.count + cookie.value.utf8.count <= Self.longest,
                    !cookie.name.hasControls, !cookie.value.hasControls
                else { continue }
                store(cookie, expires: value.maxAge.map { Date(timeIntervalSinceNow: $0) } ?? cookie.expiresDate)
            }
        }
    }
}

extension String {
    /// The fields that an engine has joined by commas, which stand in dates, too.
    fileprivate var splitCookies: [String] {
        split(separator: /,\s*(?=[^;,=\s]+=)/).map(String.init)
    }

    /// In seconds (RFC 6265, section 5.2.2), which Foundation does not read everywhere.
    fileprivate var maxAge: TimeInterval? {
        for attribute in split(separator: ";").dropFirst() {
            let pair = attribute.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            guard pair.count == 2, pair[0].lowercased() == "max-age" else { continue }
            return Int32(pair[1]).map(TimeInterval.init) ?? (pair[1].allSatisfy(\.isNumber) ? .init(Int32.max) : nil)
        }
        return nil
    }
}

extension HTTPCookie {
    /// The domain as names are compared; with a dot at the start it is for the hosts below as well.
    private var domainName: String { domain.lowercased() }

    /// RFC 6265, section 5.1.3.
    fileprivate func isFor(host: String) -> Bool {
        guard domainName.hasPrefix(".") else { return host == domainName }
        return host == domainName.dropFirst() || host.hasSuffix(domainName) && !host.isAddress
    }

    /// RFC 6265, section 5.1.4.
    fileprivate func isFor(path requested: String) -> Bool {
        guard requested.hasPrefix(path) else { return false }
        return requested.count == path.count || path.hasSuffix("/") || requested.dropFirst(path.count).hasPrefix("/")
    }

    /// Not for a host that is none of its own, nor for all that is below `com`.
    fileprivate func mayBeSet(by host: String) -> Bool {
        guard isFor(host: host) else { return false }
        return !domainName.hasPrefix(".") || domainName.dropFirst() == host || domainName.dropFirst().contains(".")
    }
}

extension URL {
    fileprivate var cookieHost: String { host(percentEncoded: false)?.lowercased() ?? "" }
}

extension String {
    /// Whether it is an IP address rather than a name.
    fileprivate var isAddress: Bool {
        contains(":") || split(separator: ".").count == 4 && allSatisfy { $0.isNumber || $0 == "." }
    }
}

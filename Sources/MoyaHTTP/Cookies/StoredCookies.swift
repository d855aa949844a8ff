import Foundation

/// The cookies of a jar, by domain (RFC 6265bis, section 5.7).
struct StoredCookies: Sendable {
    private static let maximumCount = 3000
    /// The maximum number of cookies per domain, and of cookies that one response sets.
    private static let maximumCountPerDomain = 180

    // Identifies a cookie of a domain. Compared as bytes, as servers do; `String` would use canonical equivalence.
    private struct Key: Hashable {
        let name: [UInt8]
        let isHostOnly: Bool
        let path: [UInt8]
    }

    private struct Entry {
        let cookie: Cookie
        /// The times when the cookie was first stored and last stored or sent, as counted by `clock`.
        let creation: UInt64
        var lastAccess: UInt64
    }

    private var domains: [String: [Key: Entry]] = [:]
    /// Increases with each access, so that no two accesses have the same time.
    private var clock: UInt64 = 0

    var cookies: [Cookie] { domains.values.flatMap { $0.values.map(\.cookie) } }

    mutating func cookies(for request: CookieRequest, at now: Date) -> [Cookie] {
        clock += 1
        var found: [Entry] = []
        for domain in request.domains {
            let entries =
                domains[domain]?.filter { $1.cookie.matches(request) && !$1.cookie.hasExpired(at: now) } ?? [:]
            for key in entries.keys { domains[domain]?[key]?.lastAccess = clock }
            found += entries.values
        }
        return found.sorted {
            ($1.cookie.path.utf8.count, $0.creation) < ($0.cookie.path.utf8.count, $1.creation)
        }.map(\.cookie)
    }

    // An expired cookie removes the stored one. `isSecure`: set by the app or over TLS. Other cookies displace no
    // secure ones, and are ignored if a secure one protects their name.
    mutating func store(_ cookies: [Cookie], isSecure: Bool, at now: Date) {
        let cookies = cookies.suffix(Self.maximumCountPerDomain)
        let secureCookies = isSecure ? [:] : secureCookies(named: Set(cookies.map(\.nameOctets)), at: now)
        for cookie in cookies
        where secureCookies[cookie.nameOctets]?.contains(where: { $0.isProtected(from: cookie) }) != true {
            put(cookie, at: now)
        }
        for domain in Set(cookies.map(\.domain)) where domains[domain]?.count ?? 0 > Self.maximumCountPerDomain {
            evict(from: [domain], keeping: Self.maximumCountPerDomain, at: now)
        }
        if domains.values.reduce(0, { $0 + $1.count }) > Self.maximumCount {
            evict(from: Array(domains.keys), keeping: Self.maximumCount, at: now)
        }
    }

    private func secureCookies(named names: Set<[UInt8]>, at now: Date) -> [[UInt8]: [Cookie]] {
        var found: [[UInt8]: [Cookie]] = [:]
        for entries in domains.values {
            for (key, entry) in entries
            where entry.cookie.isSecure && names.contains(key.name) && !entry.cookie.hasExpired(at: now) {
                found[key.name, default: []].append(entry.cookie)
            }
        }
        return found
    }

    private mutating func put(_ cookie: Cookie, at now: Date) {
        clock += 1
        let key = Key(name: cookie.nameOctets, isHostOnly: cookie.isHostOnly, path: Array(cookie.path.utf8))
        if cookie.hasExpired(at: now) { return remove(key, of: cookie.domain) }
        var creation = clock
        if let former = domains[cookie.domain]?[key], !former.cookie.hasExpired(at: now) { creation = former.creation }
        domains[cookie.domain, default: [:]][key] = Entry(cookie: cookie, creation: creation, lastAccess: clock)
    }

    private mutating func remove(_ key: Key, of domain: String) {
        domains[domain]?[key] = nil
        if domains[domain]?.isEmpty == true { domains[domain] = nil }
    }

    // In the RFC's order: expired cookies, then those without `Secure`, then the least recently used. Used for a full
    // jar too, so that servers without TLS can't remove secure cookies of other hosts.
    private mutating func evict(from names: [String], keeping count: Int, at now: Date) {
        let entries = names.flatMap { name in
            (domains[name] ?? [:]).map { (domain: name, key: $0, entry: $1) }
        }.sorted { left, right in
            func rank(_ entry: Entry) -> (Int, Int, UInt64, UInt64) {
                let isExpired = entry.cookie.hasExpired(at: now)
                return (isExpired ? 0 : 1, entry.cookie.isSecure ? 1 : 0, entry.lastAccess, entry.creation)
            }
            return rank(left.entry) < rank(right.entry)
        }
        for (domain, key, _) in entries.dropLast(count) { remove(key, of: domain) }
    }
}

import MoyaHTTP

struct RequestCacheKeys: Sendable {
    let own: CacheKey
    /// The key of responses that are shared by users who differ in `Authorization` only; `nil` if it equals `own`, or
    /// if nothing may be shared.
    let shared: CacheKey?

    func key(isShareable: Bool) -> CacheKey { isShareable ? shared ?? own : own }
}

extension StoredResponse {
    /// Whether the response may satisfy requests of other users, who differ in `Authorization` only.
    ///
    /// RFC 9111, section 3.5, allows this for responses with `public`, `s-maxage` or `must-revalidate`. This cache
    /// excludes responses with `must-revalidate` only, because servers also send it with personal data, and responses
    /// that shared caches must revalidate earlier than private caches.
    var isShareable: Bool {
        guard directives.isPublic || directives.sharedMaxAge != nil, !directives.isPrivate,
            headers["Set-Cookie"] == nil, headers["Vary"] == nil
        else { return false }
        return directives.sharedMaxAge.map { Double($0) >= lifetime.seconds } ?? true
    }
}

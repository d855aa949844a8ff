#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What a target wants otherwise than its provider does by default.
///
/// ```swift
/// var options: RequestOptions {
///     RequestOptions(timeouts: Timeouts(total: .seconds(5)), pathMode: .allowingQuery)
/// }
/// ```
public struct RequestOptions: Sendable, Hashable {
    /// How the text of a target's path is understood.
    public enum PathMode: Sendable, Hashable {
        /// As it is read: whatever cannot stand in a path is encoded, `?`, `#` and `%` as well.
        case literal
        /// As it is sent: a character that cannot stand there, or a `%` without two digits, is an error.
        case preEncoded
        /// Literal up to the first `?`, and from there on a query, whose percent escapes are kept.
        case allowingQuery
    }

    /// How long requests may take; nil: as the provider says.
    public var timeouts: Timeouts?
    /// What caches may do; nil: as they like.
    ///
    /// It is set on the request, and told to the caches on the way in `Cache-Control` (RFC 9111, section 5.2.1), unless
    /// the target has that header: `no-cache` where it ignores or revalidates what is stored, `only-if-cached` where it
    /// must not load.
    public var cachePolicy: URLRequest.CachePolicy?
    /// How the path is understood.
    public var pathMode: PathMode
    /// What is done about redirects; nil: as the provider says.
    public var redirects: RedirectPolicy?
    /// Whether a request like one in flight takes part in that; nil: as the provider says, and safe methods only.
    public var sharesInflight: Bool?
    /// How much of an answer is kept in memory at most, in bytes; nil: as the provider says.
    public var maximumResponseSize: Int?

    /// Everything as the provider does it, but for what is given.
    public init(
        timeouts: Timeouts? = nil, cachePolicy: URLRequest.CachePolicy? = nil, pathMode: PathMode = .literal,
        redirects: RedirectPolicy? = nil, sharesInflight: Bool? = nil, maximumResponseSize: Int? = nil
    ) {
        self.timeouts = timeouts
        self.cachePolicy = cachePolicy
        self.pathMode = pathMode
        self.redirects = redirects
        self.sharesInflight = sharesInflight
        self.maximumResponseSize = maximumResponseSize
    }
}

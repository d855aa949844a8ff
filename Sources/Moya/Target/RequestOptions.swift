#if canImport(FoundationNetworking)
    import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// The options in which a target differs from its provider.
///
/// ```swift
/// var options: RequestOptions {
///     RequestOptions(timeouts: Timeouts(total: .seconds(5)), pathMode: .allowingQuery)
/// }
/// ```
public struct RequestOptions: Sendable, Hashable {
    /// The meaning of reserved characters in a target's path.
    public enum PathMode: Sendable, Hashable {
        /// The target gives the path unencoded; the provider percent-encodes all characters that a path cannot contain,
        /// including `?`, `#` and `%`.
        case literal
        /// The target gives the path percent-encoded; a character that is not allowed, or a `%` without two digits, is
        /// an error.
        case preEncoded
        /// The path is literal up to the first `?`; the text after it is the query, whose percent escapes are left
        /// unchanged.
        case allowingQuery
    }

    /// The timeouts; `nil` for the provider's.
    public var timeouts: Timeouts?
    /// The cache policy; `nil` for the default policy.
    ///
    /// It is set on the request and, for caches on the network, in the field `Cache-Control` (RFC 9111, section 5.2.1),
    /// unless the target has that field: `no-cache` for policies that ignore or revalidate a stored response,
    /// `only-if-cached` for `returnCacheDataDontLoad`.
    public var cachePolicy: URLRequest.CachePolicy?
    /// The meaning of reserved characters in the path.
    public var pathMode: PathMode
    /// The policy for redirects; `nil` for the provider's.
    public var redirects: RedirectPolicy?
    /// Whether a request joins an equal in-flight request.
    ///
    /// If `nil`, ``ProviderConfiguration/trackInflights`` decides, and only requests with safe methods join.
    public var sharesInflight: Bool?
    /// The maximum size of a response in memory, in bytes; `nil` for the provider's.
    public var maximumResponseSize: Int?

    /// Creates options; omitted parameters have the provider's values.
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

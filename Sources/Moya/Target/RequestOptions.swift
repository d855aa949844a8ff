#if canImport(FoundationNetworking)
    import Foundation
#else
    public import Foundation
#endif

/// The options of a target, which replace the options of its provider.
///
/// ```swift
/// var options: RequestOptions {
///     RequestOptions(timeouts: Timeouts(total: .seconds(5)), pathMode: .allowingQuery)
/// }
/// ```
public struct RequestOptions: Sendable, Hashable {
    /// The meaning of reserved characters in a target's path.
    public enum PathMode: Sendable, Hashable {
        /// The path is plain text.
        ///
        /// The provider percent-encodes all characters that a path cannot contain, including `?`, `#` and `%`.
        case literal
        /// The path is already percent-encoded; a character that is not allowed, or a `%` without two hexadecimal
        /// digits, is an error.
        case preEncoded
        /// The text before the first `?` is the path, and the text after it is the query.
        ///
        /// The path is encoded as in ``literal``. Percent escapes in the query remain unchanged.
        case allowingQuery
    }

    /// The timeouts, which replace all timeouts of the provider; if `nil`, those of the provider apply.
    public var timeouts: Timeouts?
    /// The cache policy; if `nil`, the provider does not change the policy of the request.
    ///
    /// The cache of the transport (`CachingTransport`) applies the policy as Foundation documents it:
    ///
    /// - `returnCacheDataElseLoad` returns a stored response regardless of its age.
    /// - `returnCacheDataDontLoad` does, too, and otherwise fails with `URLError.resourceUnavailable`. It never sends a
    ///   request, also without a cache.
    /// - `reloadIgnoringLocalCacheData` and `reloadIgnoringLocalAndRemoteCacheData` use no stored response, and store
    ///   the new one.
    /// - `reloadRevalidatingCacheData` validates a stored response, even if it is fresh.
    ///
    /// For caches on the network, the provider also sets the field `Cache-Control` unless the request has one (RFC
    /// 9111, section 5.2.1): `no-cache` for the policies that reload, `only-if-cached` for `returnCacheDataDontLoad`.
    public var cachePolicy: URLRequest.CachePolicy?
    /// The meaning of reserved characters in the path.
    public var pathMode: PathMode
    /// The policy for redirects; if `nil`, the policy of the provider applies.
    public var redirects: RedirectPolicy?
    /// Whether a request joins an equal in-flight request, instead of being sent itself.
    ///
    /// If `nil`, a request joins only if ``ProviderConfiguration/trackInflights`` is `true` and the method of the
    /// request is safe (``HTTPMethod/isSafe``). After a request with another method, such as PUT, has succeeded, later
    /// calls do not join older requests for its URL, so they receive the new state.
    public var sharesInflight: Bool?
    /// The maximum size of response content in memory, in bytes; if `nil`, the maximum of the provider applies.
    ///
    /// `Int.max` means no limit. See ``ProviderConfiguration/maximumResponseSize``.
    public var maximumResponseSize: Int?

    /// Creates options; for the effect of `nil`, see the property of the same name.
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

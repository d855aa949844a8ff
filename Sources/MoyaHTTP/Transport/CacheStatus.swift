/// How the cache of the transport handled a request (RFC 9211).
///
/// ```swift
/// let response = try await provider.response(.user("ash"))
/// response.cacheStatus?.isHit          // true
/// response.cacheStatus?.timeToLive     // 240
/// ```
public struct CacheStatus: Sendable, Hashable, CustomStringConvertible {
    /// The reason why a request was forwarded to the server (RFC 9211, section 2.2).
    public enum ForwardReason: String, Sendable, Hashable {
        /// The cache did not handle the request, for example because the request has `no-store`.
        case bypass
        /// Stored responses cannot satisfy requests with this method.
        case method
        /// No response is stored for the URL.
        case uriMiss = "uri-miss"
        /// Responses are stored for the URL, but none matches the header fields of the request (`Vary`).
        case varyMiss = "vary-miss"
        /// The request demands validation, for example with `no-cache`.
        case request
        /// The stored response is stale, or must be validated.
        case stale
        /// The stored response cannot satisfy the requested range.
        case partial
    }

    /// Whether the request was satisfied without the server.
    public let isHit: Bool
    /// Whether the content comes from the cache: for a hit, after a validation, and if a stale response replaces an
    /// error of the server or of the network.
    public let isFromCache: Bool
    /// The reason why the request was forwarded; `nil` if it was not.
    public let forwardReason: ForwardReason?
    /// The server's status code, such as 304, if the cache delivered a stored response instead; otherwise `nil`.
    public let forwardStatusCode: Int?
    /// The seconds for which the response stays fresh, negative if it is stale; `nil` if the request was forwarded.
    public let timeToLive: Int?
    /// Whether the cache began to store the response.
    ///
    /// The cache discards the response again if the content is incomplete or too large.
    public let isStored: Bool

    package init(
        isHit: Bool = false, isFromCache: Bool = false, forwardReason: ForwardReason? = nil,
        forwardStatusCode: Int? = nil, timeToLive: Int? = nil, isStored: Bool = false
    ) {
        self.isHit = isHit
        self.isFromCache = isFromCache || isHit || forwardStatusCode != nil
        self.forwardReason = forwardReason
        self.forwardStatusCode = forwardStatusCode
        self.timeToLive = timeToLive
        self.isStored = isStored
    }

    /// The member that Moya's cache adds to the field `Cache-Status` of the response, such as `Moya; hit; ttl=240`.
    public var description: String {
        var text = isHit ? "Moya; hit" : "Moya"
        text.reserveCapacity(48)
        if let forwardReason { text += "; fwd=" + forwardReason.rawValue }
        if let forwardStatusCode { text += "; fwd-status=" + String(forwardStatusCode) }
        if let timeToLive { text += "; ttl=" + String(timeToLive) }
        if isStored { text += "; stored" }
        return text
    }
}

import Foundation

/// How a cache handled a request, read from the header field `Cache-Status` of the response (RFC 9211).
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
    /// The reason why the request was forwarded; `nil` if it was not.
    public let forwardReason: ForwardReason?
    /// The status code of the server's response, such as 304, if the cache delivered a stored response instead.
    ///
    /// Otherwise, the value is `nil`.
    public let forwardStatusCode: Int?
    /// The number of seconds for which the response stays fresh.
    ///
    /// The value is negative for a stale response, and `nil` if the request was forwarded.
    public let timeToLive: Int?
    /// Whether the cache began to store the response.
    ///
    /// The cache discards the response again if the content is incomplete or too large.
    public let isStored: Bool

    init(
        isHit: Bool = false, forwardReason: ForwardReason? = nil, forwardStatusCode: Int? = nil, timeToLive: Int? = nil,
        isStored: Bool = false
    ) {
        self.isHit = isHit
        self.forwardReason = forwardReason
        self.forwardStatusCode = forwardStatusCode
        self.timeToLive = timeToLive
        self.isStored = isStored
    }

    /// The value that Moya's cache writes in the field `Cache-Status`, such as `Moya; hit; ttl=240`.
    public var description: String {
        var text = isHit ? "\(Self.cacheName); hit" : Self.cacheName
        text.reserveCapacity(48)
        if let forwardReason { text += "; fwd=" + forwardReason.rawValue }
        if let forwardStatusCode { text += "; fwd-status=" + String(forwardStatusCode) }
        if let timeToLive { text += "; ttl=" + String(timeToLive) }
        if isStored { text += "; stored" }
        return text
    }

    /// The name of Moya's cache in the field `Cache-Status`.
    static let cacheName = "Moya"

    /// Parses the last member of the field `Cache-Status`; returns `nil` if another cache has written that member.
    ///
    /// Each cache on the path of the response appends a member (RFC 9211, section 2). Moya's cache is the last one.
    init?(_ headers: HTTPHeaders) {
        guard let member = ListFieldValue(headers["Cache-Status"] ?? "").elements.last else { return nil }
        let parts = member.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
        guard parts.first == Self.cacheName else { return nil }
        var values: [Substring: Substring] = [:]
        for part in parts.dropFirst() {
            let pair = part.split(separator: "=", maxSplits: 1)
            if let name = pair.first { values[name] = pair.count > 1 ? pair[1] : "" }
        }
        self.init(
            isHit: values["hit"] != nil, forwardReason: values["fwd"].flatMap { ForwardReason(rawValue: String($0)) },
            forwardStatusCode: values["fwd-status"].flatMap { Int($0) }, timeToLive: values["ttl"].flatMap { Int($0) },
            isStored: values["stored"] != nil)
    }
}

extension Response {
    /// How the cache of the transport handled the request; `nil` if the transport has no cache.
    ///
    /// ``Transport/caching(in:policy:scheduler:now:)`` adds a cache to a transport.
    public var cacheStatus: CacheStatus? { CacheStatus(headers) }
}

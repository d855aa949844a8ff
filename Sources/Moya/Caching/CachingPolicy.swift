import Foundation

/// The choices that HTTP leaves to a cache.
public struct CachingPolicy: Sendable {
    /// The fraction of the time since its last modification that a response without explicit expiration time is fresh for (RFC
    /// 9111, section 4.2.2).
    ///
    /// Defaults to 0: such a response is validated each time. Browsers use 0.1.
    public var heuristic: Double = 0
    /// For how long a stale response may replace an error in addition to what the server allows (RFC 5861, section 4).
    ///
    /// Defaults to `nil`: only where the server or the request allows it. A server forbids it with `must-revalidate`.
    public var staleIfError: Duration?
    /// The largest content that is stored, in bytes.
    ///
    /// Defaults to 16 MiB.
    public var largestContent: Int = 16 << 20
    /// Returns a name for the user of a request: a stored response satisfies only requests of the same name.
    ///
    /// Called once for each request, on the thread that sends it. Defaults to ``byAuthorization``.
    public var partition: @Sendable (TransportRequest) -> String? = Self.byAuthorization

    /// The defaults.
    public init() {}

    /// The hash of the field `Authorization`; `nil` without one.
    ///
    /// A new token is a new name. With digest authentication, which sends another value each time, no response is reused.
    public static let byAuthorization: @Sendable (TransportRequest) -> String? = { request in
        request.headers["Authorization"].map { MessageDigest.sha256($0.utf8).hexadecimal }
    }
}

extension Duration {
    /// In seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}

import Foundation

/// The settings of a cache that RFC 9111 leaves open.
public struct CachingPolicy: Sendable {
    /// The lifetime of a response without an explicit expiration time, as a fraction of the time since its last
    /// modification (RFC 9111, section 4.2.2).
    ///
    /// Defaults to 0: such a response is validated each time. Browsers use 0.1.
    public var heuristic: Double = 0
    /// The maximum staleness of a response that replaces an error (RFC 5861, section 4).
    ///
    /// If the server or the request also allows stale responses, the largest of these values applies. Defaults to
    /// `nil`: only the server and the request can allow them. A server forbids them with `must-revalidate`.
    public var staleIfError: Duration?
    /// The maximum length of content that is stored, in bytes.
    ///
    /// Defaults to 16 MiB.
    public var largestContent: Int = 16 << 20
    /// Returns a name for the user of a request: a stored response satisfies only requests of the same name.
    ///
    /// It is called once for each request, on the thread that sends the request. Defaults to ``byAuthorization``.
    public var partition: @Sendable (TransportRequest) -> String? = Self.byAuthorization

    /// Creates a policy with the default values.
    public init() {}

    /// Returns the hash of the field `Authorization`; `nil` for a request without the field.
    ///
    /// With a new token, no response that was stored with the former token is reused. With digest authentication, which
    /// sends another value each time, no response is reused at all.
    public static let byAuthorization: @Sendable (TransportRequest) -> String? = { request in
        request.headers["Authorization"].map { MessageDigest.sha256($0.utf8).hexadecimal }
    }
}

extension Duration {
    /// The duration in seconds.
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}

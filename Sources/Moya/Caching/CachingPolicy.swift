import Foundation

/// The settings of a cache that RFC 9111 leaves to the implementation.
public struct CachingPolicy: Sendable {
    /// The lifetime of a response without an explicit expiration time, as a fraction of the time since its last
    /// modification (RFC 9111, section 4.2.2).
    ///
    /// Defaults to 0: such a response is validated whenever it is requested. Browsers use 0.1.
    public var heuristic: Double = 0
    /// The maximum staleness of a stored response that is returned instead of an error (RFC 5861, section 4).
    ///
    /// The stored response and the request can also set this maximum, with the directive `stale-if-error`. The largest
    /// of these values applies. Defaults to `nil`: without `stale-if-error`, no stale response replaces an error. A
    /// response with `must-revalidate` never replaces an error.
    public var staleIfError: Duration?
    /// The maximum length of content that is stored, in bytes.
    ///
    /// Defaults to 16 MiB.
    public var largestContent: Int = 16 << 20
    /// Returns the partition of a request: a stored response satisfies only requests with the same partition.
    ///
    /// Partitions separate the responses of different users. The closure is called once for each request, on the thread
    /// that sends the request. Defaults to ``byAuthorization``.
    public var partition: @Sendable (TransportRequest) -> String? = Self.byAuthorization

    /// Creates a policy with the default values.
    public init() {}

    /// Returns the hash of the field `Authorization` as the partition; `nil` for a request without the field.
    ///
    /// With a new token, responses that were stored with the former token are not reused. With Digest authentication,
    /// no response is reused, because each request has a different value.
    public static let byAuthorization: @Sendable (TransportRequest) -> String? = { request in
        request.headers["Authorization"].map { MessageDigest.sha256($0.utf8).hexadecimal }
    }
}

extension Duration {
    var timeInterval: TimeInterval {
        TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18
    }
}

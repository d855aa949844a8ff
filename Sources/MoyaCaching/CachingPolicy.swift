public import MoyaHTTP

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
    /// The maximum length of content that is stored, in bytes; defaults to 16 MiB.
    public var largestContent: Int = 16 << 20
    /// Returns the partition of a request; `nil` if the credentials of requests separate their responses.
    ///
    /// A stored response satisfies only requests with the same partition, so that the users of a cache do not receive
    /// responses of each other. Without a closure, the partition consists of all credentials of a request: the fields
    /// `Authorization`, `Cookie` and `Proxy-Authorization`, fields whose names suggest a secret, such as `X-Api-Key`,
    /// and ``credentialFields``; users who differ in `Authorization` only share `public` responses (RFC 9111, section
    /// 3.5). Set a closure for cookies or tokens that change although the user does not:
    ///
    /// ```swift
    /// var policy = CachingPolicy()
    /// policy.partition = { request in request.headers["X-User-ID"] }
    /// ```
    /// The closure is called once for each request, on the thread that sends the request. A cache stores a salted hash
    /// of its result.
    public var partition: (@Sendable (TransportRequest) -> String?)?
    /// The names of further request header fields that separate the responses of different users.
    ///
    /// The case and the punctuation of a name are ignored. If ``partition`` is set, these names have no effect.
    public var credentialFields: Set<String> = [] {
        didSet { credentials = CredentialFields(others: credentialFields) }
    }
    private(set) var credentials = CredentialFields()

    /// Creates a policy with the default values.
    public init() {}

    /// Returns the field `Authorization` as the partition; `nil` for a request without the field.
    ///
    /// Use it as ``partition`` if responses do not depend on cookies or other credentials. With Digest authentication,
    /// no response is reused, because each request has a different value.
    public static let byAuthorization: @Sendable (TransportRequest) -> String? = { $0.headers["Authorization"] }
}

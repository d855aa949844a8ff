/// How an exchange went: how long its parts took, each from the start of the exchange; nil where the engine does not say.
public struct TransportMetrics: Sendable, Hashable {
    /// Until the name was resolved.
    public var nameLookup: Duration?
    /// Until the connection was made.
    public var connect: Duration?
    /// Until the TLS handshake was done; nil without TLS.
    public var secureConnect: Duration?
    /// Until the first byte of the answer.
    public var firstByte: Duration?
    /// Until the end.
    public var total: Duration?
    /// The version that was spoken, such as `HTTP/1.1` or `HTTP/2`.
    public var version: String?
    /// Whether a connection was used again.
    public var isReusedConnection: Bool?

    /// Nothing known.
    public init() {}
}

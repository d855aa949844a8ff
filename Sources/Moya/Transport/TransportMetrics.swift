/// How long the parts of an exchange took, each from the start of the exchange; nil where the engine does not say.
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
    /// Whether a connection was used again.
    public var isReusedConnection: Bool?

    /// Nothing known.
    public init() {}
}

/// The durations of the phases of an exchange, measured from its start; `nil` for values that the transport does not
/// measure.
public struct TransportMetrics: Sendable, Hashable {
    /// The time until the name was resolved.
    public var nameLookup: Duration?
    /// The time until the connection was established.
    public var connect: Duration?
    /// The time until the TLS handshake was complete; `nil` without TLS.
    public var secureConnect: Duration?
    /// The time until the first byte of the response.
    public var firstByte: Duration?
    /// The time until the end of the exchange.
    public var total: Duration?
    /// The HTTP version, such as `HTTP/1.1` or `HTTP/2`.
    public var version: String?
    /// Whether the connection had been used before.
    public var isReusedConnection: Bool?

    /// Creates metrics without values.
    public init() {}
}

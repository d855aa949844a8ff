/// The measurements of an exchange.
///
/// All durations except ``queued`` start when the exchange begins. A value that the transport does not measure is
/// `nil`. If the exchange uses an existing connection, ``nameLookup``, ``connect`` and ``secureConnect`` are `nil`.
public struct TransportMetrics: Sendable, Hashable {
    /// The time that the request waited in the transport before its exchange began, for example for a free connection.
    public var queued: Duration?
    /// The time until the host name was resolved.
    public var nameLookup: Duration?
    /// The time until the connection was established.
    public var connect: Duration?
    /// The time until the TLS handshake was complete; `nil` without TLS.
    public var secureConnect: Duration?
    /// The time until the request was sent, with its content.
    ///
    /// libcurl before 8.10 does not measure this time. With these versions, the value is `nil` for a request with
    /// content. For a request without content, it is the time until the head of the request was ready to be sent.
    public var requestSent: Duration?
    /// The time until the first byte of the response.
    public var firstByte: Duration?
    /// The time until the end of the exchange.
    public var total: Duration?
    /// The HTTP version, such as `HTTP/1.1` or `HTTP/2`.
    public var version: String?
    /// Whether the connection had been used before.
    public var isReusedConnection: Bool?
    /// The number of bytes of the request's head and content, before encryption.
    ///
    /// With HTTP/2, the bytes of the head are counted before compression.
    public var bytesSent: Int64?
    /// The number of bytes of the response's head and content, after decryption and before decompression.
    public var bytesReceived: Int64?
    /// The address of the server or proxy, such as `192.0.2.1` or `2001:db8::1`.
    public var remoteAddress: String?
    /// The port of the server or proxy.
    public var remotePort: Int?

    /// Creates metrics without values.
    public init() {}
}

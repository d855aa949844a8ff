/// The options of a WebSocket; every option has a default.
public struct WebSocketOptions: Sendable {
    /// The subprotocols that are offered to the server, in order of preference (RFC 6455, section 1.9).
    public var subprotocols: [String]
    /// The maximum size of a received message in bytes.
    ///
    /// Defaults to 16 MiB. A larger message closes the connection.
    public var maximumMessageSize: Int
    /// The time between two pings, which keep the connection alive and detect its loss; `nil` or zero for none.
    ///
    /// If nothing arrives between two pings, the connection is lost. Defaults to 20 seconds.
    public var pingInterval: Duration?
    /// How long a close waits for the answer of the server.
    ///
    /// Defaults to 5 seconds.
    public var closeTimeout: Duration

    /// Creates options.
    public init(
        subprotocols: [String] = [], maximumMessageSize: Int = 16 << 20, pingInterval: Duration? = .seconds(20),
        closeTimeout: Duration = .seconds(5)
    ) {
        self.subprotocols = subprotocols
        self.maximumMessageSize = maximumMessageSize
        self.pingInterval = pingInterval
        self.closeTimeout = closeTimeout
    }
}

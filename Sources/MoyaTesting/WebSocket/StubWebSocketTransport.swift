public import Moya
import MoyaScheduling
import MoyaWebSocket

/// A transport whose WebSockets follow a script, without a network.
///
/// ```swift
/// let time = VirtualTime()
/// let transport = StubWebSocketTransport(on: time) { _ in
///     .socket { socket in
///         socket.send(.text("welcome"))
///         socket.send(.text("still there?"), after: .seconds(60))
///         socket.onMessage { socket.send($0) }
///     }
/// }
/// let provider = MoyaProvider<Chat>(transport: transport, scheduler: time)
/// let events = time.record(provider.webSocketEvents(.channel("lobby"), on: time))
/// time.advance(by: .seconds(60))
/// ```
/// The bytes of both directions are real: the client masks, parses and validates them as those of any server. What has
/// no delay happens on the caller's thread, before the call returns, so that a test in virtual time needs no waiting.
/// Other requests than the handshake of a WebSocket fail.
public final class StubWebSocketTransport: Transport {
    /// What the server replies to the handshake of a WebSocket.
    public enum Reply: Sendable {
        /// The server accepts the WebSocket, and calls the closure with it, before any message.
        case socket(subprotocol: String? = nil, @Sendable (StubWebSocket) -> Void)
        /// The server refuses, such as with `.status(503, headers: ["Retry-After": "2"])`; or there is no connection.
        case response(EndpointSampleResponse)
    }

    private let delay: Duration?
    private let scheduler: any Scheduler
    private let reply: @Sendable (TransportRequest) -> Reply
    private let accepted = Locked<[StubWebSocket]>([])

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - delay: the time until the connection is made; `nil` to make it on the caller's thread.
    ///   - scheduler: runs the delays of the transport and of its sockets.
    ///   - reply: returns the reply to a handshake.
    public init(
        after delay: Duration? = nil, on scheduler: any Scheduler = .background,
        reply: @escaping @Sendable (TransportRequest) -> Reply
    ) {
        self.delay = delay
        self.scheduler = scheduler
        self.reply = reply
    }

    /// The sockets that were accepted, in order.
    public var sockets: [StubWebSocket] { accepted.withLock(\.self) }

    /// The empty set: a stub has no capabilities.
    public var capabilities: TransportCapabilities { [] }

    /// Fails: this transport only opens WebSockets.
    public func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        StubTransport { _ in
            .networkError(TransportError.invalid("a StubWebSocketTransport only opens WebSockets, with webSocket(_:)"))
        }.start(request, receive: receive)
    }
}

extension StubWebSocketTransport: ConnectingTransport {
    package func connect(
        for request: TransportRequest, window: Int, receive: @escaping @Sendable (ConnectionEvent) -> Void
    ) -> any TransportConnection {
        let socket = StubWebSocket(request, on: scheduler, receive) { socket in
            let reply = self.reply(request)
            if case .socket = reply { self.accepted.withLock { $0.append(socket) } }
            return reply
        }
        socket.open(after: delay)
        return socket
    }
}

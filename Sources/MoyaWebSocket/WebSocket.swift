public import Moya

/// An open WebSocket (RFC 6455).
///
/// ```swift
/// let socket = try await provider.webSocket(.channel("lobby"))
/// try await socket.send(.text("hi"))
/// for try await message in socket.messages { print(message) }
/// ```
/// Its methods may be called from any thread. Releasing the last reference closes the connection with code 1001.
public final class WebSocket: Sendable {
    /// The response that has completed the handshake, with status 101.
    public let response: Response
    /// The subprotocol that the server has chosen; `nil` if it has chosen none.
    public var subprotocol: String? { session.subprotocol }

    let session: WebSocketSession

    init(_ session: WebSocketSession, _ response: Response) {
        self.session = session
        self.response = response
    }

    deinit { drop() }

    /// Closes the connection with code 1001, without waiting.
    func drop() { session.drop() }

    /// The messages of the server, in order.
    ///
    /// The sequence ends when the server closes the connection with code 1000, 1001 or none, and after your own close.
    /// It throws ``WebSocketError/closed(_:reason:)`` for other codes, and the error of a connection that was lost.
    /// While messages are unread, the socket reads at most 256 KiB ahead, so a slow loop slows down the server.
    ///
    /// There is one loop at a time: a second one throws ``WebSocketError/hasConsumer``. Cancelling the task of the loop
    /// closes the connection with code 1001.
    public var messages: some AsyncSequence<WebSocketMessage, MoyaError> & Sendable { MessageSequence(socket: self) }

    /// Sends a message; returns when its bytes were handed to the system.
    ///
    /// The messages of one task are sent in the order of its calls, and those of several tasks arrive whole. A message
    /// that was handed over may still be lost if the connection is: each message arrives at most once. If the task is
    /// cancelled, the call throws the error `cancelled`, but a message that has begun is sent.
    ///
    /// - Throws: ``WebSocketError/notOpen`` if the socket is closed, or the error of the connection.
    public func send(_ message: WebSocketMessage) async throws(MoyaError) { try await session.send(message) }

    /// Closes the connection, and waits for the answer of the server for at most ``WebSocketOptions/closeTimeout``.
    ///
    /// Messages that have arrived can still be read, but no more than 256 KiB of them are kept.
    ///
    /// - Parameters:
    ///   - code: the reason as a code. A code that must not be sent, such as 1006, is replaced by 1000.
    ///   - reason: the reason as a text, which is cut to 123 bytes.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") async {
        await session.close(code, reason)
    }

    /// The code and the reason with which the connection was closed; `nil` while it is open or being closed.
    ///
    /// The code is ``WebSocketCloseCode/abnormal`` if the connection was lost.
    public var closure: (code: WebSocketCloseCode, reason: String)? { session.end?.closure }

    private struct MessageSequence: AsyncSequence, Sendable {
        let socket: WebSocket

        func makeAsyncIterator() -> Iterator { Iterator(Consumer(socket)) }

        struct Iterator: AsyncIteratorProtocol {
            private let consumer: Consumer

            init(_ consumer: Consumer) {
                self.consumer = consumer
            }

            mutating func next() async throws(MoyaError) -> WebSocketMessage? { try await consumer.next() }

            mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(MoyaError) -> WebSocketMessage? { try await consumer.next() }
        }
    }

    /// The only consumer of the messages, until it is released.
    private final class Consumer: Sendable {
        private let socket: WebSocket
        private let isOnlyOne: Bool

        init(_ socket: WebSocket) {
            self.socket = socket
            isOnlyOne = socket.session.beginConsuming()
        }

        // A loop that is left because its task is cancelled closes the socket, too.
        deinit {
            if isOnlyOne { socket.session.endConsuming() }
            if isOnlyOne, Task.isCancelled { socket.session.startClosing(.goingAway, "") }
        }

        func next() async throws(MoyaError) -> WebSocketMessage? {
            guard isOnlyOne else { throw .underlying(WebSocketError.hasConsumer, nil) }
            return try await socket.session.next()
        }
    }
}

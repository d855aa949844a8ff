public import Foundation
import Moya
public import MoyaWebSocket

/// A WebSocket of a ``LoopbackServer``, which ``LoopbackReply/webSocket(_:subprotocol:_:)`` accepts.
///
/// It is used on the thread of its connection only.
public final class LoopbackWebSocket {
    private let connection: LoopbackConnection
    private var parser = FrameParser(.server)
    private var inputs: [WebSocketInput] = []
    /// The violation that follows `inputs`.
    private var violation: WebSocketViolation?
    private var isClosed = false

    init(_ connection: LoopbackConnection) {
        self.connection = connection
    }

    /// Waits for the next message; returns `nil` when the client has closed the socket, or has violated the protocol.
    ///
    /// Pings are answered, and a close frame is answered with its own code. A message of more than 16 MiB is a
    /// violation.
    public func receive() -> WebSocketMessage? {
        while !isClosed {
            while !inputs.isEmpty {
                switch inputs.removeFirst() {
                case .message(let message): return message
                case .ping(let payload): write(FrameWriter.frame(.pong, payload, mask: []))
                case .pong: break
                case .close(let code, let reason):
                    closure = (code, reason)
                    write(FrameWriter.close(code, reason, mask: []))
                    isClosed = true
                    return nil
                }
            }
            if let violation {
                write(FrameWriter.close(violation.code, violation.reason, mask: []))
                break
            }
            guard let bytes = connection.read() else { break }
            do throws(WebSocketViolation) {
                try parser.parse(bytes) { inputs.append($0) }
            } catch {
                violation = error
            }
        }
        isClosed = true
        return nil
    }

    /// The code and the reason of the client's close frame; `nil` before it.
    public private(set) var closure: (code: WebSocketCloseCode, reason: String)?

    /// Sends a message.
    public func send(_ message: WebSocketMessage) { write(FrameWriter.frame(message, mask: [])) }

    /// Sends a close frame, and waits for that of the client.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "") {
        write(FrameWriter.close(code, reason, mask: []))
        while receive() != nil {}
    }

    /// Sends bytes unchanged, whether they are valid frames or not.
    public func write(_ bytes: Data) { connection.write(bytes) }
}

extension LoopbackReply {
    /// Returns a reply that accepts a WebSocket and runs a closure with it, on the thread of the connection.
    ///
    /// ```swift
    /// let server = try LoopbackServer { request in
    ///     .webSocket(request) { socket in
    ///         while let message = socket.receive() { socket.send(message) }
    ///     }
    /// }
    /// ```
    /// The connection closes when the closure returns.
    public static func webSocket(
        _ request: LoopbackRequest, subprotocol: String? = nil,
        _ body: @escaping @Sendable (LoopbackWebSocket) -> Void
    ) -> LoopbackReply {
        let head = upgrade(key: request.headers["Sec-WebSocket-Key"] ?? "", subprotocol)
        return LoopbackReply([.send(head), .run { body(LoopbackWebSocket($0)) }, .close])
    }

    /// Returns the head of the response that accepts a WebSocket.
    static func upgrade(key: String, _ subprotocol: String?) -> Data {
        var headers: HTTPHeaders = ["Upgrade": "websocket", "Connection": "Upgrade"]
        headers["Sec-WebSocket-Accept"] = Handshake.accept(key)
        headers["Sec-WebSocket-Protocol"] = subprotocol
        return head(101, headers)
    }
}

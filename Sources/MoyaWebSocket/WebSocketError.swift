public import Foundation
public import Moya

/// The error of a WebSocket that is not an error of the network.
///
/// A provider's call and ``WebSocket/messages`` throw it as the underlying error of a `MoyaError`.
public enum WebSocketError: Error, Sendable, Hashable {
    /// The server has closed the connection with a code other than 1000, 1001 or none.
    case closed(WebSocketCloseCode, reason: String)
    /// The server has violated the protocol, or has sent a message that is too large or not valid UTF-8.
    case invalidMessage(String)
    /// The socket is closed, so nothing can be sent.
    case notOpen
    /// Another loop is already iterating over the messages.
    case hasConsumer
}

extension WebSocketError: LocalizedError {
    /// A sentence that describes the failure.
    public var errorDescription: String? {
        switch self {
        case .closed(let code, let reason):
            "The server closed the WebSocket with code \(code.rawValue)\(reason.isEmpty ? "" : ": \(reason)")."
        case .invalidMessage(let reason): "The WebSocket was closed, because \(reason)."
        case .notOpen: "The WebSocket is closed."
        case .hasConsumer: "Another loop is already reading the messages of this WebSocket."
        }
    }

    /// What to do about the failure, if it is known.
    public var recoverySuggestion: String? {
        switch self {
        case .closed: nil
        case .invalidMessage: "Correct the server, or raise maximumMessageSize of WebSocketOptions."
        case .notOpen: "Open another WebSocket."
        case .hasConsumer: "Read the messages in one loop, and pass them on from there."
        }
    }
}

extension MoyaError {
    /// The error of a WebSocket, if this is one.
    ///
    /// ```swift
    /// do {
    ///     for try await message in socket.messages { print(message) }
    /// } catch {
    ///     if case .closed(let code, _) = error.webSocketError { print(code.rawValue) }
    /// }
    /// ```
    public var webSocketError: WebSocketError? {
        if case .underlying(let error, _) = self { error as? WebSocketError } else { nil }
    }
}

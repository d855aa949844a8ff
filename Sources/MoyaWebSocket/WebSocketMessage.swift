public import Foundation

/// A message of a WebSocket: text or bytes.
public enum WebSocketMessage: Sendable, Hashable {
    /// A text, which is sent as UTF-8.
    case text(String)
    /// Bytes.
    case data(Data)

    /// The bytes, or the text in UTF-8, such as for a decoder.
    public var bytes: Data {
        switch self {
        case .text(let text): Data(text.utf8)
        case .data(let data): data
        }
    }
}

/// The status code with which a WebSocket is closed (RFC 6455, section 7.4).
public struct WebSocketCloseCode: RawRepresentable, Sendable, Hashable {
    /// The number of the code.
    public let rawValue: UInt16

    /// Creates a code with a number.
    ///
    /// Registered codes are in the range 3000 to 3999. Use 4000 to 4999 for your own.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// 1000: the purpose of the connection is fulfilled.
    public static let normal = WebSocketCloseCode(rawValue: 1000)
    /// 1001: the server goes down, or the user leaves a page.
    public static let goingAway = WebSocketCloseCode(rawValue: 1001)
    /// 1002: the other side has violated the protocol.
    public static let protocolError = WebSocketCloseCode(rawValue: 1002)
    /// 1003: the kind of data is not accepted.
    public static let unsupportedData = WebSocketCloseCode(rawValue: 1003)
    /// 1005, which is never sent: the close frame had no code.
    public static let noStatus = WebSocketCloseCode(rawValue: 1005)
    /// 1006, which is never sent: the connection was lost without a close frame.
    public static let abnormal = WebSocketCloseCode(rawValue: 1006)
    /// 1007: a message has an invalid encoding, such as text that is not UTF-8.
    public static let invalidPayload = WebSocketCloseCode(rawValue: 1007)
    /// 1008: a message violates a policy.
    public static let policyViolation = WebSocketCloseCode(rawValue: 1008)
    /// 1009: a message is too large.
    public static let messageTooBig = WebSocketCloseCode(rawValue: 1009)
    /// 1011: an unexpected condition in the server.
    public static let internalError = WebSocketCloseCode(rawValue: 1011)

    /// Whether a close frame may contain the code.
    package var isSendable: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

public import Foundation
public import Moya

/// What a ``LoopbackServer`` does for a request, step by step.
public struct LoopbackReply: Sendable {
    /// One step.
    public enum Step: Sendable {
        /// A whole response; `Content-Length` is added.
        case respond(status: Int, headers: HTTPHeaders, body: Data)
        /// Bytes as they are, right or wrong.
        case send(Data)
        /// A pause; the rest is left out when the client closes the connection or sends something meanwhile.
        case wait(Duration)
        /// The connection is closed.
        case close
        /// The connection is reset.
        case reset
    }

    /// The steps in order.
    ///
    /// The connection stays open after them, unless one closed it or the request asked for that.
    public let steps: [Step]

    /// A script.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// A status code, with header fields and a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) -> LoopbackReply {
        LoopbackReply([.respond(status: status, headers: headers, body: body)])
    }

    /// Status 200 and a text.
    public static func text(_ text: String) -> LoopbackReply {
        .status(200, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// A status and a JSON text.
    public static func json(_ json: String, status: Int = 200) -> LoopbackReply {
        .status(status, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
    }

    /// Status 200 and the chunks, with a pause before each.
    public static func chunked(
        _ chunks: [Data], every pause: Duration = .zero, trailers: HTTPHeaders = [:]
    ) -> LoopbackReply {
        var steps = [Step.send(head(200, ["Transfer-Encoding": "chunked"]))]
        for chunk in chunks {
            if pause > .zero { steps.append(.wait(pause)) }
            steps.append(.send(Data("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Data("\r\n".utf8)))
        }
        let fields = trailers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return LoopbackReply(steps + [.send(Data("0\r\n\(fields)\r\n".utf8))])
    }

    /// No answer, as long as the client waits.
    public static let silence = LoopbackReply([.wait(.seconds(3600))])

    /// Raw bytes, then the end of the connection.
    public static func raw(_ text: String) -> LoopbackReply {
        LoopbackReply([.send(Data(text.utf8)), .close])
    }

    /// The bytes of a response head.
    public static func head(_ status: Int, _ headers: HTTPHeaders) -> Data {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Data("HTTP/1.1 \(status) Loopback\r\n\(fields)\r\n".utf8)
    }
}

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
        /// A pause until a condition holds, looked at again and again on the connection's thread.
        case waitUntil(@Sendable () -> Bool)
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

    /// The same steps with another one before them, such as `.wait(.seconds(1))`.
    public func after(_ step: Step) -> LoopbackReply {
        LoopbackReply([step] + steps)
    }

    /// Interim responses before this one, such as 103 (RFC 9110, section 15.2).
    public func after(interim status: Int, headers: HTTPHeaders = [:], times: Int = 1) -> LoopbackReply {
        LoopbackReply(Array(repeating: .send(Self.head(status, headers)), count: max(times, 0)) + steps)
    }

    /// The same answer, and then the connection is closed without a word about it.
    public func thenClosing() -> LoopbackReply {
        LoopbackReply(steps + [.close])
    }

    /// Status 200 and a body that comes byte by byte.
    public static func drip(_ body: Data, every pause: Duration = .milliseconds(1)) -> LoopbackReply {
        let head = Step.send(head(200, ["Content-Length": String(body.count)]))
        return LoopbackReply([head] + body.flatMap { [.wait(pause), .send(Data([$0]))] })
    }

    /// Status 200 and a body that ends early: `count` bytes less come than the length says.
    public static func truncated(_ body: Data, by count: Int) -> LoopbackReply {
        let head = head(200, ["Content-Length": String(body.count)])
        return LoopbackReply([.send(head + body.dropLast(count)), .close])
    }

    /// Status 200, the request's method as `X-Method`, and its content.
    public static func echo(_ request: LoopbackRequest) -> LoopbackReply {
        .status(200, headers: ["X-Method": request.method.rawValue], body: request.body)
    }

    /// Not HTTP.
    public static let garbage = raw("\u{16}\u{3}this is no HTTP\r\n\r\n")

    /// The connection is reset instead of an answer.
    public static let reset = LoopbackReply([.reset])

    /// The connection is closed instead of an answer.
    public static let closed = LoopbackReply([.close])

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

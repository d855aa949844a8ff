public import Foundation
public import Moya

/// The steps of a ``LoopbackServer`` for a request.
public struct LoopbackReply: Sendable {
    /// One step.
    public enum Step: Sendable {
        /// A whole response; `Content-Length` is added.
        case respond(status: Int, headers: HTTPHeaders, body: Data)
        /// Bytes as given, valid HTTP or not.
        case send(Data)
        /// A pause; the remaining steps are skipped if the client closes the connection or sends bytes meanwhile.
        case wait(Duration)
        /// A pause until a condition is true; it is tested repeatedly on the thread of the connection.
        case waitUntil(@Sendable () -> Bool)
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset
    }

    /// The steps in order.
    ///
    /// The connection stays open after the last step unless a step or the request closes it.
    public let steps: [Step]

    /// Creates a reply of the given steps.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// Returns a response with a status code, header fields and a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) -> LoopbackReply {
        LoopbackReply([.respond(status: status, headers: headers, body: body)])
    }

    /// Returns a response with status 200 and a text.
    public static func text(_ text: String) -> LoopbackReply {
        .status(200, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// Returns a response with a JSON text.
    public static func json(_ json: String, status: Int = 200) -> LoopbackReply {
        .status(status, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
    }

    /// Returns a response with status 200 and chunks, with a pause before each.
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

    /// Returns this reply with another step before it, such as `.wait(.seconds(1))`.
    public func after(_ step: Step) -> LoopbackReply {
        LoopbackReply([step] + steps)
    }

    /// Returns this reply with interim responses before it, such as 103 (RFC 9110, section 15.2).
    public func after(interim status: Int, headers: HTTPHeaders = [:], times: Int = 1) -> LoopbackReply {
        LoopbackReply(Array(repeating: .send(Self.head(status, headers)), count: max(times, 0)) + steps)
    }

    /// Returns this reply, after which the connection is closed without a `Connection: close` field.
    public func thenClosing() -> LoopbackReply {
        LoopbackReply(steps + [.close])
    }

    /// Returns a response with status 200 whose body is sent byte by byte.
    public static func drip(_ body: Data, every pause: Duration = .milliseconds(1)) -> LoopbackReply {
        let head = Step.send(head(200, ["Content-Length": String(body.count)]))
        return LoopbackReply([head] + body.flatMap { [.wait(pause), .send(Data([$0]))] })
    }

    /// Returns a response with status 200 whose body is shorter by `count` bytes than its `Content-Length`.
    public static func truncated(_ body: Data, by count: Int) -> LoopbackReply {
        let head = head(200, ["Content-Length": String(body.count)])
        return LoopbackReply([.send(head + body.dropLast(count)), .close])
    }

    /// Returns a response with status 200, the method of the request as `X-Method`, and its content.
    public static func echo(_ request: LoopbackRequest) -> LoopbackReply {
        .status(200, headers: ["X-Method": request.method.rawValue], body: request.body)
    }

    /// Bytes that are not HTTP.
    public static let garbage = raw("\u{16}\u{3}this is no HTTP\r\n\r\n")

    /// Resets the connection without a response.
    public static let reset = LoopbackReply([.reset])

    /// Closes the connection without a response.
    public static let closed = LoopbackReply([.close])

    /// Sends no response while the client waits.
    public static let silence = LoopbackReply([.wait(.seconds(3600))])

    /// Returns a reply of raw bytes, after which the connection is closed.
    public static func raw(_ text: String) -> LoopbackReply {
        LoopbackReply([.send(Data(text.utf8)), .close])
    }

    /// Returns the bytes of a response head.
    public static func head(_ status: Int, _ headers: HTTPHeaders) -> Data {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Data("HTTP/1.1 \(status) Loopback\r\n\(fields)\r\n".utf8)
    }
}

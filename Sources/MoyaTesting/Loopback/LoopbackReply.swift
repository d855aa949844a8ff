public import Foundation
public import Moya
import MoyaScheduling

/// The reply of a ``LoopbackServer`` to one request, as a list of steps.
public struct LoopbackReply: Sendable {
    /// One step of a reply.
    public enum Step: Sendable {
        /// Sends a complete response, with a `Content-Length` if the status code allows content.
        case respond(status: Int, headers: HTTPHeaders, body: Data)
        /// Sends bytes unchanged, whether they are valid HTTP or not.
        case send(Data)
        /// Sends bytes of the content unchanged, after a pause as by ``wait(_:)``; does nothing in reply to `HEAD`.
        case sendContent(Data, after: Duration = .zero)
        /// Pauses for a time.
        ///
        /// If the client closes the connection during the pause, the server closes it, too, and skips the remaining
        /// steps. The server does the same if the client sends bytes, because it does not distinguish the two cases.
        case wait(Duration)
        /// Pauses until a condition is true.
        ///
        /// The condition is tested repeatedly on the thread of the connection. If the client closes the connection or
        /// sends bytes during the pause, the server closes the connection, as explained at ``wait(_:)``.
        case waitUntil(@Sendable () -> Bool)
        /// Runs a closure that reads from the connection and writes to it, on the thread of the connection.
        case run(@Sendable (LoopbackConnection) -> Void)
        /// Closes the connection.
        case close
        /// Resets the connection.
        case reset
    }

    /// The steps in order.
    ///
    /// The connection stays open after the last step, unless a step closes the connection, the client sends bytes
    /// during a pause, or the request has the field `Connection: close`.
    public let steps: [Step]

    /// Creates a reply with the given steps.
    public init(_ steps: [Step]) {
        self.steps = steps
    }

    /// Returns a response with a status code, header fields and a body.
    public static func status(_ status: Int, headers: HTTPHeaders = [:], body: Data = Data()) -> LoopbackReply {
        LoopbackReply([.respond(status: status, headers: headers, body: body)])
    }

    /// Returns a response with status 200 and plain text.
    public static func text(_ text: String) -> LoopbackReply {
        .status(200, headers: ["Content-Type": "text/plain; charset=utf-8"], body: Data(text.utf8))
    }

    /// Returns a response with a JSON text.
    public static func json(_ json: String, status: Int = 200) -> LoopbackReply {
        .status(status, headers: ["Content-Type": "application/json"], body: Data(json.utf8))
    }

    /// Returns a response with a body of the media type `type`.
    public static func data(
        _ body: Data, type: String = "application/octet-stream", status: Int = 200
    ) -> LoopbackReply { .status(status, headers: ["Content-Type": type], body: body) }

    /// Returns a response with status 200 and a stream of server-sent events, with a pause before each event.
    ///
    /// ```swift
    /// let server = try LoopbackServer { _ in .events([ServerSentEvent(id: "1", data: "a")]) }
    /// ```
    /// A client that reconnects receives the same events again, unless the reply depends on the `Last-Event-ID` of the
    /// request.
    public static func events(_ events: [ServerSentEvent], every pause: Duration = .zero) -> LoopbackReply {
        var (chunks, id, retry) = ([Data](), "", Duration?.none)
        for event in events {
            var lines = event.data.split(separator: /\r\n|\r|\n/, omittingEmptySubsequences: false)
                .map { "data: \($0)" }
            if event.event != "message" { lines.insert("event: \(event.event)", at: 0) }
            if event.id != id { lines.insert("id: \(event.id)", at: 0) }
            if let time = event.retry, time != retry {
                lines.insert("retry: \(Int64(clamping: time / .milliseconds(1)))", at: 0)
            }
            (id, retry) = (event.id, event.retry)
            chunks.append(Data((lines.joined(separator: "\n") + "\n\n").utf8))
        }
        return .chunked(chunks, headers: ["Content-Type": "text/event-stream"], every: pause)
    }

    /// Returns a chunked response with status 200, with a pause before each chunk.
    public static func chunked(
        _ chunks: [Data], headers: HTTPHeaders = [:], every pause: Duration = .zero, trailers: HTTPHeaders = [:]
    ) -> LoopbackReply {
        var headers = headers
        headers["Transfer-Encoding"] = "chunked"
        var steps = [Step.send(head(200, headers))]
        for chunk in chunks {
            // A chunk without content would end the response.
            let size = String(chunk.count, radix: 16)
            let bytes = chunk.isEmpty ? chunk : Data("\(size)\r\n".utf8) + chunk + Data("\r\n".utf8)
            steps.append(.sendContent(bytes, after: pause))
        }
        let fields = trailers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return LoopbackReply(steps + [.sendContent(Data("0\r\n\(fields)\r\n".utf8))])
    }

    /// Returns this reply with an additional first step, such as `.wait(.seconds(1))`.
    public func after(_ step: Step) -> LoopbackReply {
        LoopbackReply([step] + steps)
    }

    /// Returns this reply, preceded by interim responses (RFC 9110, section 15.2).
    ///
    /// `status` is the status code of each interim response, such as 103; `times` is the number of interim responses.
    public func after(interim status: Int, headers: HTTPHeaders = [:], times: Int = 1) -> LoopbackReply {
        LoopbackReply(Array(repeating: .send(Self.head(status, headers)), count: max(times, 0)) + steps)
    }

    /// Returns this reply with a last step that closes the connection, without announcing it by `Connection: close`.
    public func thenClosing() -> LoopbackReply {
        LoopbackReply(steps + [.close])
    }

    /// Returns a response with status 200 whose body is sent byte by byte, with a pause before each byte.
    public static func drip(_ body: Data, every pause: Duration = .milliseconds(1)) -> LoopbackReply {
        let head = Step.send(head(200, ["Content-Length": String(body.count)]))
        return LoopbackReply([head] + body.map { .sendContent(Data([$0]), after: pause) })
    }

    /// Returns a response with status 200; the connection closes before the last `count` bytes of the body are sent.
    public static func truncated(_ body: Data, by count: Int) -> LoopbackReply {
        let head = head(200, ["Content-Length": String(body.count)])
        return LoopbackReply([.send(head), .sendContent(body.dropLast(max(count, 0))), .close])
    }

    /// Returns a response with status 200, the content of the request, and its method in the field `X-Method`.
    public static func echo(_ request: LoopbackRequest) -> LoopbackReply {
        .status(200, headers: ["X-Method": request.method.rawValue], body: request.body)
    }

    /// Sends bytes that are not HTTP, and closes the connection.
    public static let garbage = raw("\u{16}\u{3}this is no HTTP\r\n\r\n")

    /// Resets the connection without a response.
    public static let reset = LoopbackReply([.reset])

    /// Closes the connection without a response.
    public static let closed = LoopbackReply([.close])

    /// Sends no response; waits for an hour, or until the client closes the connection.
    public static let silence = LoopbackReply([.wait(.seconds(3600))])

    /// Returns a reply that sends a text as the whole response and closes the connection.
    public static func raw(_ text: String) -> LoopbackReply {
        LoopbackReply([.send(Data(text.utf8)), .close])
    }

    /// Returns the status line and the header fields of a response as bytes.
    public static func head(_ status: Int, _ headers: HTTPHeaders) -> Data {
        let fields = headers.fields.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Data("HTTP/1.1 \(status) Loopback\r\n\(fields)\r\n".utf8)
    }
}

import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

/// The requests that a transport sends again after a reused connection was closed (RFC 9110, section 9.2.2).
///
/// The rows run one at a time, because each row opens its own descriptors.
@Suite(.serialized, .queued, .timeLimit(.minutes(10))) struct RepetitionTests {
    /// The time at which the server closes a connection that was used for a request before.
    enum Moment: String, CaseIterable {
        /// The connection is closed before the next request is sent.
        case whileIdle
        /// The connection is closed after the server has read the next request.
        case afterTheRequest
        /// The connection is reset after the server has read the next request.
        case byReset
        /// The connection is closed in the middle of the head of the response.
        case withinTheHead
        /// The connection is closed in the middle of the content of the response.
        case withinTheContent

        var reply: LoopbackReply {
            switch self {
            case .whileIdle: .text("late")
            case .afterTheRequest: .closed
            case .byReset: .reset
            case .withinTheHead: LoopbackReply([.send(Data("HTTP/1.1 200 OK\r\nX-".utf8)), .close])
            case .withinTheContent: .truncated(Data("0123456789".utf8), by: 5)
            }
        }

        /// Whether a part of the request may have been processed: it was sent, and no byte of a response has arrived.
        var isAmbiguous: Bool { self == .afterTheRequest || self == .byReset }
    }

    enum Content: String, CaseIterable {
        case none, data, file, stream

        func body(_ file: URL) -> RequestBody {
            switch self {
            case .none: .none
            case .data: .data(Data("content".utf8))
            case .file: .file(file)
            case .stream: .stream(length: nil, open: { _ in Once(data: Data("content".utf8)) })
            }
        }
    }

    struct Once: BodyReader {
        var data: Data

        mutating func read(upTo count: Int) -> BodyPart {
            defer { data = data.dropFirst(count) }
            return data.isEmpty ? .end : .data(data.prefix(count))
        }
    }

    struct Row: CustomTestStringConvertible {
        let method: HTTPMethod
        let content: Content
        let hasKey: Bool
        let moment: Moment

        var testDescription: String { "\(method) \(content) \(hasKey ? "with a key " : "")\(moment)" }
        var isRepeatable: Bool { method.isIdempotent || hasKey }
    }

    static let methods: [HTTPMethod] = [.get, .head, .put, .delete, .options, .post, .patch, "REPORT"]

    static let rows: [Row] = methods.flatMap { method in
        Content.allCases.flatMap { content in
            Moment.allCases.flatMap { moment in
                [false, true].map { Row(method: method, content: content, hasKey: $0, moment: moment) }
            }
        }
    }.filter { row in
        row.content == .none || ![.get, .head, .options].contains(row.method)
    }

    /// Returns the number of times that the server has read the request, and the outcome.
    private func run(_ row: Row, _ kind: TransportKind) async throws -> (arrivals: Int, outcome: Exchanged) {
        let arrivals = Box(0)
        let server = try LoopbackServer { request in
            guard request.path == "/x" else {
                return row.moment == .whileIdle ? .text("warm").thenClosing() : .text("warm")
            }
            arrivals.change { $0 += 1 }
            return arrivals.value == 1 ? row.moment.reply : .text("repeat")
        }
        defer { server.stop() }
        let file = FileManager.default.temporaryDirectory.appending(path: "moya-\(UUID().uuidString)")
        try Data("content".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let transport = try kind.make()
        let warm = try await transport.exchange(try TransportRequest(method: .get, url: server.url))
        #expect(warm.error == nil)
        if row.moment == .whileIdle { try await until { server.connectionCount == 0 } }
        var headers: HTTPHeaders = ["Content-Type": "text/plain"]
        if row.hasKey { headers["Idempotency-Key"] = "\"8e03978e\"" }
        let request = try TransportRequest(
            method: row.method, url: server.url.appending(path: "x"), headers: headers, body: row.content.body(file))
        let outcome = try await transport.exchange(request)
        return (arrivals.value, outcome)
    }

    @Test(
        "RFC 9112, 9.2: bytes that arrive before a request are not the response to it",
        arguments: [HTTPMethod.get, .post])
    func unaskedResponse(_ method: HTTPMethod) async throws {
        let (isIdle, isSent) = (Box(false), Box(false))
        let server = try LoopbackServer { request in
            guard request.path == "/first" else { return .text(request.path) }
            return LoopbackReply(
                LoopbackReply.text("first").steps + [
                    .waitUntil { isIdle.value }, .send(Data("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nEVIL".utf8)),
                    .run { _ in isSent.value = true },
                ])
        }
        defer { server.stop() }
        let transport = try CurlTransport(proxy: .direct)
        func send(_ path: String, _ method: HTTPMethod) async throws -> String {
            let body: RequestBody = method == .post ? .data(Data("x".utf8)) : .none
            let url = server.url.appending(path: path)
            return try await transport.exchange(try TransportRequest(method: method, url: url, body: body)).text
        }
        try await expectEqual(send("first", .get), "first")
        isIdle.value = true
        try await until { isSent.value }
        for path in ["a", "b", "c"] { try await expectEqual(send(path, method), "/\(path)") }
    }

    @Test("the curl transport repeats only idempotent requests and those with an idempotency key", arguments: rows)
    func curl(_ row: Row) async throws {
        guard let kind = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let (arrivals, outcome) = try await run(row, kind)
        expectEqual(outcome.outcomes.count, 1)
        if row.moment == .whileIdle {
            expectEqual(arrivals, 1)
            #expect(outcome.error == nil)
        } else if row.moment.isAmbiguous {
            expectEqual(arrivals, row.isRepeatable ? 2 : 1)
            expectEqual(outcome.error?.code, row.isRepeatable ? nil : .networkConnectionLost)
        } else if row.method != .head {
            expectEqual(arrivals, 1)
            #expect(outcome.error != nil)
        }
    }

    /// A reader that returns its second part only once the server has closed the connection, or has read another head.
    private struct Late: BodyReader {
        let server: LoopbackServer
        let heads: Box<Int>
        var parts = ["con", "tent"]

        mutating func read(upTo count: Int) -> BodyPart {
            if parts.count == 1 { block { server.connectionCount == 0 || heads.value > 1 } }
            return parts.isEmpty ? .end : .data(Data(parts.removeFirst().utf8))
        }
    }

    @Test("the curl transport repeats a request whose reused connection is closed just before its content is written")
    func closedBeforeContent() async throws {
        guard let kind = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let heads = Box(0)
        let server = try LoopbackServer(beforeContent: { request in
            guard request.method == .put else { return nil }
            heads.change { $0 += 1 }
            return heads.value == 1 ? .reset : nil
        }) { .text($0.method == .put ? "repeat" : "warm") }
        defer { server.stop() }
        let transport = try kind.make()
        _ = try await transport.exchange(try TransportRequest(method: .get, url: server.url))
        let body = RequestBody.stream(length: nil, open: { _ in Late(server: server, heads: heads) })
        let outcome = try await transport.exchange(
            try TransportRequest(method: .put, url: server.url, headers: ["Content-Type": "text/plain"], body: body))
        #expect(outcome.error == nil)
        expectEqual(outcome.outcomes.count, 1)
        expectEqual(heads.value, 2)
    }

    /// An endless reader that waits, once the response has arrived, until the server has closed the connection.
    private struct Endless: BodyReader {
        let server: LoopbackServer
        let isAnswered: Box<Bool>

        mutating func read(upTo count: Int) -> BodyPart {
            block { !isAnswered.value || server.connectionCount == 0 }
            return .data(Data("content".utf8))
        }
    }

    @Test("a response that is complete is a success of the curl transport, although the rest of its request is lost")
    func answeredBeforeTheEnd() async throws {
        guard let kind = TransportKind.allCases.first(where: { $0.rawValue == "curl" }) else { return }
        let isAnswered = Box(false)
        let server = try LoopbackServer(beforeContent: { _ in
            let wait = LoopbackReply.Step.run { _ in block { isAnswered.value } }
            return LoopbackReply(LoopbackReply.text("early").steps + [wait, .close])
        }) { _ in .status(500) }
        defer { server.stop() }
        let body = RequestBody.stream(length: nil, open: { _ in Endless(server: server, isAnswered: isAnswered) })
        let request = try TransportRequest(
            method: .put, url: server.url, headers: ["Content-Type": "text/plain"], body: body,
            delivery: .chunks(window: nil))
        let (outcome, text) = (Promise<URLError?>(), Box(""))
        let exchange = try kind.make().start(request) { events in
            for chunk in events.chunks { text.change { $0 += String(decoding: chunk, as: UTF8.self) } }
            if text.value == "early" { isAnswered.value = true }
            if let end = events.outcome { outcome.fulfill(end.error) }
        }
        try await expectEqual(outcome.value()?.code, nil)
        expectEqual(text.value, "early")
        withExtendedLifetime(exchange) {}
    }

    /// On Linux, an incomplete head ends the process: see the article URLSessionOnLinux.
    @Test(
        "URLSession does not repeat content that is neither idempotent nor has a key",
        arguments: rows.filter { $0.moment.isAmbiguous || $0.moment == .whileIdle })
    func urlSession(_ row: Row) async throws {
        let (arrivals, outcome) = try await run(row, .urlSession)
        expectEqual(outcome.outcomes.count, 1)
        #expect(arrivals <= 2)
        if row.moment.isAmbiguous, !row.isRepeatable, row.content != .none {
            expectEqual(arrivals, 1)
            expectEqual(outcome.error?.code, .networkConnectionLost)
        }
    }
}

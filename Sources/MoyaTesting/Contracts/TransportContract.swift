import Foundation
public import Moya

/// The requirements of `Transport`, checked with a ``LoopbackServer``.
///
/// ```swift
/// @Test(arguments: TransportContract.claims)
/// func keepsTheContract(_ claim: ContractClaim<any Transport>) async throws {
///     try await claim.check(MyTransport())
/// }
/// ```
public enum TransportContract {
    /// All requirements, each with its check; create a new transport for each check.
    public static let claims: [ContractClaim<any Transport>] = requests + responses + content + endings

    private typealias Claim = ContractClaim<any Transport>

    private static let requests: [Claim] = [
        Claim("each method arrives unchanged") { transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]
            for method in methods {
                let request = try TransportRequest(
                    method: HTTPMethod(rawValue: method), url: server.url.appending(path: "a"))
                let result = try await transport.outcome(of: request)
                try expect(result.head?.headers["x-method"], is: method, "the method")
            }
            try expect(server.requests.map(\.target), is: methods.map { _ in "/a" }, "the targets")
        },
        Claim("content is sent byte for byte, with its length") { transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            for size in [0, 1, 1000, 300_000] {
                let data = Data((0..<size).map { UInt8(truncatingIfNeeded: $0 &* 7) })
                let result = try await transport.outcome(
                    of: TransportRequest(
                        method: .post, url: server.url, headers: ["Content-Type": "x/y"], body: .data(data)))
                try expect(result.error?.code, is: nil, "the error")
                try expect(result.content == data, is: true, "whether \(size) bytes came back unchanged")
                try expect(server.requests.last?.headers["Content-Length"], is: String(size), "the length")
                try expect(server.requests.last?.headers["Expect"], is: nil, "Expect")
            }
        },
        Claim("a POST without content has a Content-Length of 0") { transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            _ = try await transport.outcome(of: TransportRequest(method: .post, url: server.url))
            try expect(server.requests.first?.headers["Content-Length"], is: "0", "the length")
        },
        Claim("a file is sent from the disk; a missing one is a failure") { transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
            let data = Data(repeating: 42, count: 200_000)
            try data.write(to: url)
            defer { try? FileManager.default.removeItem(at: url) }
            let sent = try await transport.outcome(
                of: TransportRequest(method: .put, url: server.url, body: .file(url)))
            try expect(sent.content == data, is: true, "whether the content is the same")
            let missing = try await transport.outcome(
                of: TransportRequest(method: .put, url: server.url, body: .file(url.appending(path: "none"))))
            try expect(missing.error == nil, is: false, "whether it succeeds")
            try expect(missing.head == nil, is: true, "whether nothing was received")
        },
        Claim("header fields arrive, empty ones and those beyond ASCII, too") { transport in
            let server = try LoopbackServer { _ in .status(200, headers: ["X-Answer": "  padded  ", "X-Empty": ""]) }
            defer { server.stop() }
            let result = try await transport.outcome(
                of: TransportRequest(
                    method: .get, url: server.url, headers: ["X-One": "1", "X-Empty": "", "X-Umlaut": "ä"]))
            let received = server.requests.first?.headers
            try expect(received?["x-one"], is: "1", "a field")
            try expect(received?["x-empty"], is: "", "an empty field")
            try expect(received?["x-umlaut"], is: "ä", "a field beyond ASCII")
            try expect(result.head?.headers["x-answer"], is: "padded", "a padded field of the response")
            try expect(result.head?.headers["x-empty"], is: "", "an empty field of the response")
        },
        Claim("the header fields of each method arrive, and no field of an earlier request") { transport in
            let server = try LoopbackServer { _ in .status(200) }
            defer { server.stop() }
            for (number, method) in [HTTPMethod.get, .head, .post, .options, .delete, .head, .put, .get].enumerated() {
                let name = "X-\(number)"
                server.forgetRequests()
                _ = try await transport.outcome(
                    of: TransportRequest(method: method, url: server.url, headers: [name: "1", "User-Agent": "a"]))
                let received = server.requests.first?.headers
                try expect(received?[name], is: "1", "a field of \(method)")
                try expect(received?["User-Agent"], is: "a", "the user agent of \(method)")
                let others = received?.fields.filter { $0.name.hasPrefix("X-") && $0.name != name }.map(\.name)
                try expect(others, is: [], "fields of earlier requests")
            }
        },
        Claim("a connection is reused") { transport in
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            for _ in 0..<5 { _ = try await transport.outcome(of: TransportRequest(method: .get, url: server.url)) }
            try expect(server.requests.count, is: 5, "the number of requests")
            try expect(server.connectionCount, is: 1, "the number of connections")
        },
        Claim("content is sent again if the reused connection is closed") { transport in
            let server = try LoopbackServer { request in
                request.path == "/close" ? LoopbackReply.status(200).thenClosing() : .echo(request)
            }
            defer { server.stop() }
            for _ in 0..<10 {
                _ = try await transport.outcome(
                    of: TransportRequest(method: .get, url: server.url.appending(path: "close")))
                let result = try await transport.outcome(
                    of: TransportRequest(method: .put, url: server.url, body: .data(Data("again".utf8))))
                try expect(result.error?.code, is: nil, "the error")
                try expect(result.text, is: "again", "the content")
            }
        },
    ]

    private static let responses: [Claim] = [
        Claim("a response to HEAD has no content, whatever its Content-Length") { transport in
            let server = try LoopbackServer { _ in .text("five!") }
            defer { server.stop() }
            let result = try await transport.outcome(of: TransportRequest(method: .head, url: server.url))
            try expect(result.error?.code, is: nil, "the error")
            try expect(result.head?.headers["Content-Length"], is: "5", "the length")
            try expect(result.content.isEmpty, is: true, "whether there is no content")
        },
        Claim("chunks are delivered as they arrive if the request asks for chunks") { transport in
            let parts = (0..<5).map { Data("part \($0),".utf8) }
            let server = try LoopbackServer { _ in .chunked(parts, every: .milliseconds(20)) }
            defer { server.stop() }
            let result = try await transport.outcome(
                of: TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil)))
            try expect(result.content, is: parts.reduce(Data(), +), "the content")
            try expect(result.chunks.count > 1, is: true, "whether it came in more than one chunk")
        },
        Claim("content that arrives byte by byte is complete") { transport in
            let server = try LoopbackServer { _ in .drip(Data("drop by drop".utf8)) }
            defer { server.stop() }
            let result = try await transport.outcome(of: TransportRequest(method: .get, url: server.url))
            try expect(result.text, is: "drop by drop", "the content")
            try expect(result.batches, is: 1, "the number of pieces")
        },
        Claim("interim responses are not delivered") { transport in
            let final = LoopbackReply.status(200, headers: ["X-Final": "yes"], body: Data("ok".utf8))
            let server = try LoopbackServer { _ in
                final.after(interim: 102, times: 20).after(interim: 103, headers: ["Link": "</a>"])
            }
            defer { server.stop() }
            let result = try await transport.outcome(
                of: TransportRequest(method: .get, url: server.url, delivery: .chunks(window: nil)))
            try expect(result.heads, is: 1, "the number of heads")
            try expect(result.head?.headers["X-Final"], is: "yes", "the final field")
            try expect(result.head?.headers["Link"], is: nil, "the interim field")
            try expect(result.text, is: "ok", "the content")
        },
        Claim("redirects, challenges and server errors are responses") { transport in
            let server = try LoopbackServer { request in
                let status = Int(request.path.dropFirst()) ?? 0
                let challenge = "Basic realm=\"a\""
                return .status(
                    status,
                    headers: ["Location": "/next", "WWW-Authenticate": challenge, "Proxy-Authenticate": challenge],
                    body: Data("body of \(status)".utf8))
            }
            defer { server.stop() }
            let codes = [301, 302, 303, 307, 308, 401, 407, 500, 503]
            for status in codes {
                let result = try await transport.outcome(
                    of: TransportRequest(method: .get, url: server.url.appending(path: "\(status)")))
                try expect(result.error?.code, is: nil, "the error for \(status)")
                try expect(result.head?.statusCode, is: status, "the status code")
                try expect(result.text, is: "body of \(status)", "the content")
            }
            try expect(server.requests.count, is: codes.count, "the number of requests")
        },
        Claim("trailers are reported by a transport with that capability") { transport in
            // A transport without the capability `trailers` is not checked, because it may use `URLSession`: on Linux,
            // `URLSession` of Swift 6.3 and earlier crashes if a response has trailers.
            guard transport.capabilities.contains(.trailers) else { return }
            let server = try LoopbackServer { _ in .chunked([Data("a".utf8)], trailers: ["X-Sum": "42"]) }
            defer { server.stop() }
            let result = try await transport.outcome(of: TransportRequest(method: .get, url: server.url))
            try expect(result.outcomes.first?.trailers["x-sum"], is: "42", "the trailer")
        },
        Claim("a window limits the content that was not consumed, in a transport with backpressure") { transport in
            guard transport.capabilities.contains(.backpressure) else { return }
            let size = 20_000_000
            let server = try LoopbackServer { _ in .status(200, body: Data(repeating: 7, count: size)) }
            defer { server.stop() }
            let exchange = try TransportTrace(
                TransportRequest(method: .get, url: server.url, delivery: .chunks(window: 1_000_000)), on: transport)
            var consumed = 0
            while true {
                let before = consumed
                try await until("more content has arrived") { exchange.received > before || exchange.isOver }
                let received = exchange.received
                guard received > consumed else { break }
                try expect(received - consumed < 3_000_000, is: true, "whether the window limits it")
                exchange.acknowledge(received - consumed)
                consumed = received
            }
            try expect(consumed, is: size, "the number of bytes")
        },
    ]

    private static let endings: [Claim] = [
        Claim("failures are distinguished by their kind") { transport in
            let server = try LoopbackServer { request in
                switch request.path {
                case "/reset": .reset
                case "/closed": .closed
                case "/short": .truncated(Data("ten bytes!".utf8), by: 6)
                default: .garbage
                }
            }
            defer { server.stop() }
            func kind(_ url: URL) async throws -> MoyaError.Kind? {
                try await transport.outcome(of: TransportRequest(method: .get, url: url)).error.map {
                    MoyaError.underlying($0, nil).kind
                }
            }
            for path in ["reset", "closed", "short"] {
                try expect(try await kind(server.url.appending(path: path)), is: .connectionLost, path)
            }
            try expect(try await kind(server.url.appending(path: "garbage")), is: .badResponse, "garbage")
            let stopped = try LoopbackServer { .echo($0) }
            stopped.stop()
            try expect(try await kind(stopped.url), is: .unreachable, "a closed port")
        },
        Claim("a cancel gives one outcome at any time, and no event after it") { transport in
            let started = LoopbackReply([
                .send(LoopbackReply.head(200, ["Content-Length": "100"])), .send(Data("some".utf8)),
                .wait(.seconds(3600)),
            ])
            let server = try LoopbackServer { $0.path == "/content" ? started : .silence }
            defer { server.stop() }
            var exchanges: [TransportTrace] = []
            for path in ["start", "head", "content"] {
                let before = server.requests.count
                let exchange = try TransportTrace(
                    TransportRequest(
                        method: .get, url: server.url.appending(path: path), delivery: .chunks(window: nil)),
                    on: transport)
                if path == "head" { try await until("the request was sent") { server.requests.count > before } }
                if path == "content" { try await until("the head has arrived") { exchange.hasHead } }
                exchange.cancel()
                exchange.cancel()
                let result = try await exchange.finished()
                try expect(result.error?.code, is: .cancelled, "the error after a cancel, \(path),")
                exchanges.append(exchange)
            }
            try await until("the connections are closed") { server.connectionCount == 0 }
            for exchange in exchanges { _ = try await exchange.finished() }
        },
        Claim("fifty concurrent exchanges have one outcome each, and their own content") { transport in
            let server = try LoopbackServer { .text($0.path) }
            defer { server.stop() }
            let texts = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let url = server.url.appending(path: "\(number)")
                        let result = try await transport.outcome(of: TransportRequest(method: .get, url: url))
                        return result.text == "/\(number)" ? "" : "\(number): \(result.text)"
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            try expect(texts.filter { !$0.isEmpty }, is: [], "the exchanges with the wrong content")
        },
    ]
}

#if os(Linux)
    import Foundation
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    /// Content of a request that is late, and responses that do not wait for it.
    @Suite(.queued, .timeLimit(.minutes(10))) struct CurlUploadTests {
        /// Content that is pending until the test sets its text; an empty text is the end.
        private final class LateContent: Sendable {
            let text = Box<String?>(nil)
            let isAwaited = Promise<Void>()
            private let resume = Box<@Sendable () -> Void>({})

            func body(length: Int64?) -> RequestBody {
                .stream(length: length) { [self] resume in
                    self.resume.value = resume
                    return Reader(content: self)
                }
            }

            func end(_ text: String = "") {
                self.text.value = text
                resume.value()
            }

            private struct Reader: BodyReader {
                let content: LateContent

                func read(upTo count: Int) -> BodyPart {
                    content.isAwaited.fulfill(())
                    guard let text = content.text.value else { return .pending }
                    content.text.value = ""
                    return text.isEmpty ? .end : .data(Data(text.utf8))
                }
            }
        }

        private func start(
            _ server: LoopbackServer, _ body: RequestBody, method: HTTPMethod = .post, headers: HTTPHeaders = [:]
        ) throws -> Exchanging {
            let request = try TransportRequest(
                method: method, url: server.url, headers: headers, body: body, delivery: .chunks(window: nil))
            return Exchanging(request, on: try CurlTransport(proxy: .direct))
        }

        @Test("content of the length 0 that is late is awaited, and is sent with Content-Length: 0")
        func lateEnd() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let content = LateContent()
            let exchanging = try start(server, content.body(length: 0))
            try await content.isAwaited.value()
            content.end()
            let result = try await exchanging.finished()
            expectEqual(result.head?.statusCode, 200)
            let headers = try #require(server.requests.first).headers
            expectEqual(headers["Content-Length"], "0")
            #expect(headers["Transfer-Encoding"] == nil)
        }

        @Test("late content that is longer than the declared length 0 is an error, and nothing is sent")
        func lateExcess() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let content = LateContent()
            let exchanging = try start(server, content.body(length: 0))
            try await content.isAwaited.value()
            expectEqual(server.connectionCount, 0)
            content.end("GET /smuggled HTTP/1.1\r\nHost: a\r\n\r\n")
            expectEqual(try await exchanging.finished().error?.code, .requestBodyStreamExhausted)
            #expect(server.requests.isEmpty)
        }

        @Test("a cancel ends a request that awaits content of the length 0")
        func cancel() async throws {
            let server = try LoopbackServer { .echo($0) }
            defer { server.stop() }
            let content = LateContent()
            let exchanging = try start(server, content.body(length: 0))
            try await content.isAwaited.value()
            exchanging.cancel()
            expectEqual(try await exchanging.finished().error?.code, .cancelled)
            content.end()
            expectEqual(exchanging.events.value.outcomes.count, 1)
            #expect(server.requests.isEmpty)
        }

        @Test(
            "RFC 9110, 10.1.1: a request whose expectation fails is sent once more, without the field Expect",
            arguments: [.put, .post] as [HTTPMethod], [(false, false), (false, true), (true, false), (true, true)])
        func failedExpectation(_ method: HTTPMethod, _ row: (isStream: Bool, always: Bool)) async throws {
            let server = try LoopbackServer(beforeContent: { request in
                request.headers["Expect"] == nil ? nil : .status(417, body: Data("first".utf8))
            }) { _ in .status(row.always ? 417 : 200, body: Data("second".utf8)) }
            defer { server.stop() }
            let data = Data("content".utf8)
            let stream = RequestBody.stream(length: nil) { _ in RepetitionTests.Once(data: data) }
            let exchanging = try start(
                server, row.isStream ? stream : .data(data), method: method, headers: ["Expect": "100-continue"])
            let result = try await exchanging.finished()
            #expect(result.error == nil)
            expectEqual(result.heads, 1)
            expectEqual(result.head?.statusCode, row.always ? 417 : 200)
            expectEqual(result.text, "second")
            expectEqual(server.requests.map { $0.headers["Expect"] }, ["100-continue", nil])
            expectEqual(server.requests.last?.body, data)
        }

        @Test("content that can be read only once is sent after a failed expectation, since none of it was read")
        func onceAfterFailedExpectation() async throws {
            let server = try LoopbackServer(beforeContent: { request in
                request.headers["Expect"] == nil ? nil : .status(417)
            }) { _ in .status(200) }
            defer { server.stop() }
            let chunks = AsyncStream { continuation in
                continuation.yield(Data("content".utf8))
                continuation.finish()
            }
            let exchanging = try start(server, .stream(once: chunks), method: .put, headers: ["Expect": "100-continue"])
            let result = try await exchanging.finished()
            #expect(result.error == nil)
            expectEqual(server.requests.last?.body, Data("content".utf8))
        }

        @Test(
            "a complete response whose length is not known is delivered while the content of the request is awaited",
            arguments: ["chunked", "chunked, with a trailer", "until the end of the connection"])
        func earlyResponse(_ framing: String) async throws {
            let server = try LoopbackServer(beforeContent: { _ in
                switch framing {
                case "chunked": LoopbackReply(LoopbackReply.chunked([Data("early".utf8)]).steps + Self.open)
                case "chunked, with a trailer":
                    LoopbackReply(LoopbackReply.chunked([Data("early".utf8)], trailers: ["X-T": "1"]).steps + Self.open)
                default: LoopbackReply.raw("HTTP/1.1 403 No\r\n\r\nearly")
                }
            }) { _ in .status(500) }
            defer { server.stop() }
            let content = LateContent()
            let exchanging = try start(server, content.body(length: nil))
            let result = try await exchanging.finished()
            #expect(result.error == nil)
            expectEqual(result.text, "early")
            #expect(content.text.value == nil)
        }

        @Test("RFC 9110, 10.1.1: after a response instead of 100 Continue, nothing else is sent on the connection")
        func answeredExpectation() async throws {
            let text = Box("")
            let isClosed = Promise<Void>()
            let server = try LoopbackServer(beforeContent: { request in
                guard request.headers["Expect"] != nil else { return nil }
                return LoopbackReply([
                    .send(LoopbackReply.head(200, ["Content-Length": "2"]) + Data("ok".utf8)),
                    .run { connection in
                        while let bytes = connection.read() {
                            text.change { $0 += String(decoding: bytes, as: UTF8.self) }
                        }
                        isClosed.fulfill(())
                    },
                ])
            }) { _ in .text("next") }
            defer { server.stop() }
            let transport = try CurlTransport(proxy: .direct)
            func send(_ method: HTTPMethod, _ headers: HTTPHeaders, _ body: RequestBody) async throws -> Exchanged {
                let request = try TransportRequest(method: method, url: server.url, headers: headers, body: body)
                return try await transport.exchange(request)
            }
            let content = RequestBody.data(Data(repeating: 1, count: 1 << 20))
            try await expectEqual(send(.post, ["Expect": "100-continue"], content).text, "ok")
            try await expectEqual(send(.get, ["Authorization": "secret"], .none).text, "next")
            _ = try await isClosed.value()
            expectEqual(text.value, "")
        }

        @Test("the end of an early chunked response is noticed on a connection that was used before, too")
        func earlyResponseOnReusedConnection() async throws {
            let server = try LoopbackServer(beforeContent: { request in
                guard request.headers["Transfer-Encoding"] != nil else { return nil }
                return LoopbackReply(LoopbackReply.chunked([Data("early".utf8)]).steps + Self.open)
            }) { _ in .text("first") }
            defer { server.stop() }
            let transport = try CurlTransport(proxy: .direct)
            for _ in 0..<40 {
                let content = LateContent()
                for body in [RequestBody.data(Data("x".utf8)), content.body(length: nil)] {
                    let request = try TransportRequest(
                        method: .post, url: server.url, body: body, delivery: .chunks(window: nil))
                    let result = try await Exchanging(request, on: transport).finished()
                    #expect(result.error == nil)
                }
                content.end()
            }
        }

        private static let open = [LoopbackReply.Step.wait(.seconds(3600))]

        /// Returns some content at once, and the rest when the server, which refuses it, has closed the connection.
        private final class RefusedContent: Sendable {
            let isRestRead = Box(false)
            let isClosed = Box(false)

            struct Reader: BodyReader {
                let content: RefusedContent
                var parts = 0

                mutating func read(upTo count: Int) -> BodyPart {
                    parts += 1
                    if parts == 4 {
                        content.isRestRead.value = true
                        CurlUploadTests.wait { content.isClosed.value }
                    }
                    return .data(Data(repeating: 1, count: count))
                }
            }
        }

        private static func wait(until isTrue: () -> Bool) {
            let never = DispatchSemaphore(value: 0)
            while !isTrue() { _ = never.wait(timeout: .now() + .milliseconds(1)) }
        }

        @Test(
            "RFC 9112, 9.5: a refusal that arrives while content is read, with the end of the connection, is received")
        func refusedWhileReading() async throws {
            let content = RefusedContent()
            let server = try LoopbackServer(beforeContent: { _ in
                Self.wait { content.isRestRead.value }
                return .status(413, body: Data("large".utf8))
            }) { _ in .status(500) }
            defer { server.stop() }
            let exchanging = try start(server, .stream(length: nil) { _ in RefusedContent.Reader(content: content) })
            try await until { content.isRestRead.value && server.connectionCount == 0 }
            content.isClosed.value = true
            let result = try await exchanging.finished()
            #expect(result.error == nil)
            expectEqual(result.head?.statusCode, 413)
            expectEqual(result.text, "large")
        }

        @Test(
            "the end of the connection is noticed while the content of the request is awaited",
            arguments: ["", "HTTP/1.1 200 OK\r\nContent-Le", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nearly"],
            [true, false])
        func closed(_ response: String, _ isReused: Bool) async throws {
            let server = try LoopbackServer(beforeContent: { request in
                request.method == .post ? .raw(response) : nil
            }) { _ in .text("first") }
            defer { server.stop() }
            let transport = try CurlTransport(proxy: .direct)
            if isReused {
                let first = try TransportRequest(method: .get, url: server.url)
                try await expectEqual(transport.exchange(first).text, "first")
            }
            let request = try TransportRequest(
                method: .post, url: server.url, body: LateContent().body(length: nil), delivery: .chunks(window: nil))
            let result = try await Exchanging(request, on: transport).finished()
            expectEqual(result.error?.code, .networkConnectionLost)
        }

        @Test(
            "a response that is cut short while the content of the request is awaited is a failure",
            arguments: [
                "Content-Length: 9\r\n\r\nearly", "Transfer-Encoding: chunked\r\n\r\n9\r\nearly",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n",
                "Transfer-Encoding: chunked\r\n\r\n5\r\nearly\r\n0\r\n",
            ])
        func cutShort(_ response: String) async throws {
            let server = try LoopbackServer(beforeContent: { _ in .raw("HTTP/1.1 200 OK\r\n\(response)") }) { _ in
                .status(500)
            }
            defer { server.stop() }
            let content = LateContent()
            let exchanging = try start(server, content.body(length: nil))
            try await until { exchanging.events.value.received == 5 && server.connectionCount == 0 }
            content.end()
            expectEqual(try await exchanging.finished().error?.code, .networkConnectionLost)
        }
    }
#endif

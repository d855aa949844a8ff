#if canImport(FoundationNetworking)
    import Foundation
    import FoundationNetworking
    import Moya
    import MoyaTesting
    import TestSupport
    import Testing

    @testable import MoyaURLSession

    /// What Foundation on Linux reports of a task, without a network.
    @Suite(.queued, .timeLimit(.minutes(10))) struct SessionExchangeTests {
        private let batches = Box<[TransportEvents]>([])
        private let url = URL(string: "https://server.example/") ?? URL(filePath: "/")

        private var heads: [Int] { batches.value.compactMap { $0.head?.statusCode } }
        private var content: Data { Data(batches.value.flatMap { $0.chunks.joined() }) }
        private var outcome: TransportOutcome? { batches.value.last?.outcome }

        private func exchange(
            _ method: HTTPMethod = .get, delivery: TransportRequest.Delivery = .chunks(window: nil),
            content: Data? = nil
        ) throws -> SessionExchange {
            let body = content.map { RequestBody.data($0) } ?? .none
            let request = try TransportRequest(method: method, url: url, body: body, delivery: delivery)
            return SessionExchange(request, maximumBufferedBytes: 1 << 20, mayUseTunnels: true) { [batches] events in
                batches.change { $0.append(events) }
            }
        }

        private func head(_ statusCode: Int, _ headers: [String: String] = [:]) throws -> HTTPURLResponse {
            try #require(
                HTTPURLResponse(url: url, statusCode: statusCode, httpVersion: "HTTP/1.1", headerFields: headers))
        }

        private func failure(_ reason: String) -> URLError {
            let cause = NSError(domain: NSURLErrorDomain, code: -1, userInfo: [NSLocalizedDescriptionKey: reason])
            return URLError(.unknown, userInfo: [NSUnderlyingErrorKey: cause])
        }

        private var task: URLSessionTask { URLSession.shared.dataTask(with: url) }

        @Test("the head of a proxy's tunnel is no response", arguments: [true, false])
        func tunnel(_ isWhole: Bool) throws {
            let exchange = try exchange(delivery: isWhole ? .whole : .chunks(window: nil))
            exchange.received(try head(200, ["X-Proxy": "1"]))
            exchange.received(try head(404))
            exchange.received(Data("no".utf8))
            exchange.received(Data("ne".utf8))
            exchange.completed(task, nil)
            expectEqual(heads, [404])
            expectEqual(content, Data("none".utf8))
            #expect(outcome?.error == nil)
        }

        @Test("a response without content that came through a tunnel is delivered at its end")
        func withoutContent() throws {
            let exchange = try exchange()
            exchange.received(try head(200, ["X-Proxy": "1"]))
            exchange.received(try head(204))
            exchange.completed(task, nil)
            expectEqual(heads, [204])
        }

        @Test("if a connection through a tunnel fails, its head is not delivered", arguments: [true, false])
        func failedTunnel(_ isWhole: Bool) throws {
            let exchange = try exchange(delivery: isWhole ? .whole : .chunks(window: nil))
            exchange.received(try head(407))
            exchange.completed(task, failure("CONNECT tunnel failed, response 407"))
            expectEqual(heads, [])
            #expect(outcome?.error?.localizedDescription.contains("proxy") == true)
        }

        @Test("a complete response that precedes the loss of the connection is a response", arguments: [2, 3])
        func earlyResponse(_ length: Int) throws {
            let exchange = try exchange(.post, content: Data(count: 9))
            exchange.received(try head(413, ["Content-Length": "\(length)"]))
            exchange.received(Data("no".utf8))
            exchange.completed(task, failure("Send failure: Broken pipe"))
            expectEqual(heads, [413])
            expectEqual(outcome?.error?.code, length == 2 ? nil : .networkConnectionLost)
        }

        @Test("the response of a proxy to CONNECT is no early response to content", arguments: ["0", nil])
        func tunnelOfAnUpload(_ length: String?) throws {
            let exchange = try exchange(.post, content: Data(count: 9))
            exchange.received(try head(200, length.map { ["Content-Length": $0] } ?? [:]))
            exchange.completed(task, failure("Empty reply from server"))
            expectEqual(heads, [])
            expectEqual(outcome?.error?.code, .networkConnectionLost)
            #expect(outcome?.error?.localizedDescription.hasPrefix("waiting for the response") == true)
        }

        @Test("a head that is held back shows that the server is there", arguments: [true, false])
        func activity(_ isWhole: Bool) throws {
            let exchange = try exchange(delivery: isWhole ? .whole : .chunks(window: nil))
            exchange.received(try head(200))
            expectEqual(batches.value.count, 1)
            exchange.received(try head(404))
            expectEqual(batches.value.count, 2)
            expectEqual(heads, [])
        }

        @Test("an exchange that is cancelled before it begins is not sent")
        func cancelledBefore() async throws {
            let server = try LoopbackServer { _ in .text("") }
            defer { server.stop() }
            let ended = Promise<TransportOutcome>()
            let request = try TransportRequest(method: .get, url: server.url)
            let exchange = SessionExchange(request, maximumBufferedBytes: 1) { events in
                if let outcome = events.outcome { ended.fulfill(outcome) }
            }
            exchange.cancel()
            let transport = URLSessionTransport()
            transport.begin(exchange, request)
            try await expectEqual(ended.value().error?.code, .cancelled)
            #expect(try await transport.exchange(request).error == nil)
            expectEqual(server.requests.count, 1)
        }

        @Test(
            "errors of the system have the kinds of Foundation's errors",
            arguments: [
                (NSPOSIXErrorDomain, Int(ECONNABORTED), MoyaError.Kind.connectionLost),
                (NSPOSIXErrorDomain, Int(ECONNREFUSED), .unreachable), (NSPOSIXErrorDomain, Int(ENETDOWN), .offline),
                (NSPOSIXErrorDomain, Int(ETIMEDOUT), .timeout), (NSPOSIXErrorDomain, Int(ENOSPC), .other),
                ("kCFErrorDomainCFNetwork", -1004, .unreachable), ("kCFErrorDomainCFNetwork", 300, .other),
            ])
        func systemErrors(_ domain: String, _ code: Int, _ kind: MoyaError.Kind) {
            let error = URLError(foundation: NSError(domain: domain, code: code), url, hasHead: false)
            expectEqual(MoyaError.underlying(error, nil).kind, kind)
        }

        @Test(
            "lost connections are distinguished from malformed responses by Foundation's message",
            arguments: [
                ("Recv failure: Connection reset by peer", MoyaError.Kind.connectionLost),
                ("HTTP/2 stream 1 was not closed cleanly: PROTOCOL_ERROR (err 1)", .connectionLost),
                ("Error in the HTTP2 framing layer", .connectionLost),
                ("Connection died, tried 5 times before giving up", .connectionLost),
                ("Empty reply from server", .connectionLost),
                ("Illegal or missing hexadecimal sequence in chunked-encoding", .badResponse),
            ])
        func kinds(_ message: String, _ kind: MoyaError.Kind) {
            let error = URLError(foundation: failure(message), url, hasHead: false)
            expectEqual(MoyaError.underlying(error, nil).kind, kind)
            #expect(error.localizedDescription.hasPrefix("waiting for the response of server.example failed: "))
        }
    }
#endif

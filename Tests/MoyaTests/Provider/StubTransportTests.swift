import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct StubTransportTests {
    private let time = VirtualTime()

    private func request(_ delivery: TransportRequest.Delivery = .whole) throws -> TransportRequest {
        try TransportRequest(
            method: .get, url: #require(URL(string: "http://a.example/users?id=1")), delivery: delivery)
    }

    private func transport(
        after delay: Duration? = nil, _ sample: EndpointSampleResponse = .networkResponse(201, Data("hi".utf8))
    ) -> StubTransport {
        StubTransport(after: delay, on: time) { _ in sample }
    }

    @Test("without a delay, the response is delivered before start returns, in one batch")
    func immediate() throws {
        let batches = Box<[TransportEvents]>([])
        _ = transport().start(try request()) { batch in batches.change { $0.append(batch) } }
        expectEqual(batches.value.count, 1)
        expectEqual(batches.value.first?.head?.statusCode, 201)
        expectEqual(batches.value.first?.chunks, [Data("hi".utf8)])
        #expect(batches.value.first?.outcome?.error == nil)
    }

    @Test("the closure is called with the request when the response is due")
    func asksForTheRequest() throws {
        let log = Log()
        let transport = StubTransport(after: .seconds(2), on: time) { request in
            log.add("\(request.method) \(request.url.query() ?? "") at \(time.now)")
            return .networkResponse(200, Data())
        }
        _ = transport.start(try request()) { _ in log.add("received") }
        #expect(log.entries.isEmpty)
        time.advance(by: .seconds(2))
        expectEqual(log.entries, ["GET id=1 at 2.0 seconds", "received"])
    }

    @Test("a sample with header fields has all of them, in order, as a server's response has")
    func headerFields() async throws {
        struct Thing: TargetType {
            var baseURL = URL(string: "https://a.example/") ?? URL(filePath: "/")
            var path = "/a"
        }
        let headers = HTTPHeaders(fields: [
            .init(name: "Set-Cookie", value: "a=1; Path=/"), .init(name: "ETag", value: "e"),
            .init(name: "Set-Cookie", value: "b=2; Path=/"),
        ])
        let sent = Log()
        let transport = StubTransport { request in
            sent.add(request.headers["Cookie"] ?? "none")
            return .status(200, headers: headers, Data("x".utf8))
        }
        let provider = MoyaProvider<Thing>(transport: transport, cookies: CookieJar())
        let response = try await provider.response(Thing())
        expectEqual(response.headers, headers)
        expectEqual(response.response?.url?.absoluteString, "https://a.example/a")
        _ = try await provider.response(Thing())
        expectEqual(sent.entries, ["none", "a=1; b=2"])
    }

    @Test("a response to HEAD has no content")
    func head() throws {
        let samples: [EndpointSampleResponse] = [
            .networkResponse(200, Data("x".utf8)), .status(200, headers: [:], Data("x".utf8)),
            .chunks(200, [Data("x".utf8)], every: .seconds(1)),
        ]
        for sample in samples {
            let request = try TransportRequest(method: .head, url: #require(URL(string: "http://a.example/")))
            let events = Exchanging(request, on: transport(sample)).events
            expectEqual(events.value.text, "")
            expectEqual(events.value.outcomes.count, 1)
        }
    }

    @Test("chunks are delivered one at a time, or as a whole if the request asks for that", arguments: [true, false])
    func chunks(_ isWhole: Bool) throws {
        let transport = transport(.chunks(200, [Data("a".utf8), Data("b".utf8)], every: .seconds(1)))
        let events = Exchanging(try request(isWhole ? .whole : .chunks(window: nil)), on: transport).events
        expectEqual(events.value.head == nil, isWhole)
        time.advance(by: .seconds(1))
        expectEqual(events.value.text, isWhole ? "" : "a")
        #expect(events.value.outcomes.isEmpty)
        time.advance(by: .seconds(1))
        expectEqual(events.value.text, "ab")
        expectEqual(events.value.heads, 1)
        expectEqual(events.value.outcomes.count, 1)
        expectEqual(events.value.chunks.count, isWhole ? 1 : 2)
    }

    @Test("a cancel at any time gives one outcome", arguments: [0, 1, 2, 3])
    func cancel(_ seconds: Int) throws {
        let transport = transport(after: .seconds(1), .chunks(200, [Data("a".utf8)], every: .seconds(1)))
        let exchanging = Exchanging(try request(.chunks(window: nil)), on: transport)
        time.advance(by: .seconds(seconds))
        exchanging.cancel()
        exchanging.cancel()
        time.advance(by: .seconds(9))
        expectEqual(exchanging.events.value.outcomes.count, 1)
        expectEqual(exchanging.events.value.eventsAfterOutcome, 0)
        expectEqual(exchanging.events.value.error?.code == .cancelled, seconds < 2)
    }

    @Test("a cancel inside a batch ends the exchange with the error of a cancel")
    func cancelInsideABatch() throws {
        let transport = transport(.chunks(200, [Data("a".utf8), Data("b".utf8)], every: .seconds(1)))
        let exchange = Box<(any TransportExchange)?>(nil)
        let batches = Box<[TransportEvents]>([])
        exchange.value = transport.start(try request(.chunks(window: nil))) { batch in
            batches.change { $0.append(batch) }
            if !batch.chunks.isEmpty { exchange.value?.cancel() }
        }
        time.advance(by: .seconds(9))
        expectEqual(batches.value.flatMap(\.chunks), [Data("a".utf8)])
        expectEqual(batches.value.compactMap(\.outcome).map { $0.error?.code }, [.cancelled])
    }

    @Test("an error of any type is passed unchanged to the caller of a provider")
    func errors() async throws {
        struct Failure: Error, Equatable { let id: Int }
        let provider = MoyaProvider<MyService>(transport: transport(.networkError(Failure(id: 7))))
        let error = await #expect(throws: MoyaError.self) { try await provider.response(.zen) }
        guard case .underlying(let underlying, nil) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        expectEqual(underlying as? Failure, Failure(id: 7))
    }

    @Test("a provider follows the redirects of its stub transport and stores its cookies")
    func underAProvider() async throws {
        let jar = CookieJar()
        let transport = StubTransport { request in
            let isMoved = request.url.path() != "/new"
            let head = HTTPURLResponse(
                url: request.url, statusCode: isMoved ? 302 : 200, httpVersion: "HTTP/1.1",
                headerFields: isMoved
                    ? ["Location": "/new", "Set-Cookie": "a=1"] : ["X-Cookie": request.headers["Cookie"] ?? ""])
            return head.map { .response($0, Data()) } ?? .networkResponse(500, Data())
        }
        let response = try await MoyaProvider<MyService>(transport: transport, cookies: jar).response(.zen)
        expectEqual(response.statusCode, 200)
        expectEqual(response.request?.url?.path(), "/new")
        expectEqual(response.headers["X-Cookie"], "a=1")
    }

    @Test("a custom transport that wraps another one is called for each request after a redirect")
    func decorators() async throws {
        struct Stamping: Transport {
            let base: any Transport
            var capabilities: TransportCapabilities { base.capabilities }

            func start(
                _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
            ) -> any TransportExchange {
                var request = request
                request.headers["X-Stamp"] = "7"
                return base.start(request, receive: receive)
            }
        }
        let stamps = Log()
        let transport = StubTransport { request in
            stamps.add("\(request.url.path()) \(request.headers["X-Stamp"] ?? "")")
            guard request.url.path() == "/zen", let url = URL(string: "https://b.example/new"),
                let head = HTTPURLResponse(
                    url: request.url, statusCode: 307, httpVersion: nil,
                    headerFields: ["Location": url.absoluteString])
            else { return .networkResponse(200, Data()) }
            return .response(head, Data())
        }
        let provider = MoyaProvider<MyService>(transport: Stamping(base: transport))
        try await expectEqual(provider.response(.zen).statusCode, 200)
        expectEqual(stamps.entries, ["/zen 7", "/new 7"])
    }

    @Test("validate checks what has changed since the request was made")
    func validating() throws {
        var request = try request()
        try request.validate()
        let changes: [@Sendable (inout TransportRequest) -> Void] = [
            { $0.headers["A"] = "b\nc" }, { $0.headers.add("Content-Length", "7") }, { $0.method = "G T" },
            { $0.url = URL(filePath: "/etc/passwd") },
            {
                $0.method = .head
                $0.body = .data(Data("x".utf8))
            },
        ]
        for change in changes {
            var changed = request
            change(&changed)
            #expect(throws: TransportError.self) { try changed.validate() }
        }
        request.method = .put
        request.body = .data(Data("x".utf8))
        request.url.append(path: "a/../b")
        try request.validate()
        #expect(request.url.path().hasSuffix("/b") && !request.url.path().contains(".."))
    }
}

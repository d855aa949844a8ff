import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct ReconnectingTests {
    private let time = VirtualTime()

    struct Feed: TargetType {
        var baseURL: URL
        var path = "/feed"
        var validationType = ValidationType.none
    }

    /// Returns a stream with one reply for each connection; logs the time and the last event ID of each request.
    private func connections(
        _ replies: [EndpointSampleResponse], policy: RetryPolicy, _ seen: Log, maximumLength: Int = 1 << 20
    ) -> Observable<ServerSentEvent> {
        let sample = EndpointSampleResponse.sequence(replies)
        struct Witness: PluginType {
            let seen: Log
            let time: VirtualTime
            func willSend(_ request: RequestType, target: any RelativeTarget) {
                let id = request.request?.value(forHTTPHeaderField: "Last-Event-ID") ?? "-"
                seen.add("\(time.elapsed.components.seconds) s: \(id)")
            }
        }
        let provider = MoyaProvider<Feed>(
            endpointClosure: { _ in Endpoint(url: "http://a.example/", sampleResponseClosure: sample) },
            stubClosure: MoyaProvider.immediatelyStub, plugins: [Witness(seen: seen, time: time)], scheduler: time)
        return provider.serverSentEvents(
            Feed(baseURL: URL(filePath: "/")), reconnecting: policy, on: time, maximumLength: maximumLength)
    }

    @Test("WHATWG HTML, 9.2.3: a stream that ends is reconnected after the last event, until the status code is 204")
    func reconnects() {
        let seen = Log()
        let events = time.record(
            connections(
                [
                    .networkResponse(200, Data("id: 1\ndata: a\n\n".utf8)),
                    .networkError(URLError(.networkConnectionLost)),
                    .networkResponse(200, Data("retry: 7000\nid: 2\ndata: b\n\n".utf8)), .networkResponse(200, Data()),
                    .networkResponse(204, Data()),
                ], policy: .constant(.seconds(2), times: 2), seen))
        time.run()
        expectEqual(events.elements.map(\.data), ["a", "b"])
        #expect(events.isCompleted)
        expectEqual(seen.entries, ["0 s: -", "2 s: 1", "4 s: 1", "11 s: 2", "18 s: 2"])
    }

    @Test("each connection is made in the trace of the subscriber")
    func trace() {
        let traces = Box<[TraceContext?]>([])
        var configuration = ProviderConfiguration(
            transport: ScriptedOrigin { _, number in
                (number < 3 ? 200 : 204, ["Content-Type": "text/event-stream"], "data: a\n\n")
            }, scheduler: time)
        configuration.callContext = { _ in
            traces.change { $0.append(TraceContext.current) }
            return nil
        }
        let provider = MoyaProvider<Feed>(configuration: configuration)
        let trace = TraceContext.root(isSampled: true)
        let events = TraceContext.$current.withValue(trace) {
            let feed = Feed(baseURL: URL(string: "https://a.example") ?? URL(filePath: "/"))
            return time.record(
                provider.serverSentEvents(feed, reconnecting: .constant(.seconds(2), times: 2), on: time))
        }
        time.run()
        #expect(events.isCompleted)
        expectEqual(traces.value, [trace, trace, trace])
    }

    @Test("WHATWG HTML, 9.2.6: IDs and times also apply without data, and an ID applies to later connections")
    func resumesWithoutData() {
        let seen = Log()
        let events = time.record(
            connections(
                [
                    .networkResponse(200, Data("id: 1\ndata: a\n\nid: 2\n\nretry: 5000\n".utf8)),
                    // The last event of the content is incomplete, because no empty line follows it.
                    .networkResponse(200, Data("data: b\n\nid: 3".utf8)),
                    .networkResponse(200, Data("id\n\n".utf8)), .networkResponse(204, Data()),
                ], policy: .constant(.seconds(2), times: 9), seen))
        time.run()
        expectEqual(events.elements.map(\.data), ["a", "b"])
        expectEqual(events.elements.map(\.id), ["1", "2"])
        expectEqual(seen.entries, ["0 s: -", "5 s: 2", "10 s: 2", "15 s: -"])
    }

    @Test("reconnecting stops as the policy decides, and immediately if the response is not an event stream")
    func givesUp() {
        let seen = Log()
        let lost = EndpointSampleResponse.networkError(URLError(.networkConnectionLost))
        let events = time.record(connections([lost], policy: .constant(.seconds(1), times: 2), seen))
        time.run()
        expectEqual(seen.entries.count, 3)
        expectEqual((events.error as? MoyaError)?.kind, .connectionLost)
        let refused = Log()
        let other = time.record(
            connections([.networkResponse(404, Data())], policy: .constant(.seconds(1), times: 2), refused))
        time.run()
        expectEqual(refused.entries.count, 1)
        expectEqual((other.error as? MoyaError)?.response?.statusCode, 404)
        let ended = time.record(
            connections([.networkResponse(200, Data())], policy: .constant(.seconds(1), times: 1), Log()))
        time.run()
        expectEqual((ended.error as? MoyaError)?.kind, .connectionLost)
    }

    @Test("the errors of events name the request", arguments: [nil, RetryPolicy.constant(.seconds(1), times: 2)])
    func namesTheRequest(policy: RetryPolicy?) throws {
        let feed = Feed(baseURL: try #require(URL(string: "https://a.example")))
        for type in ["text/html", "text/event-stream"] {
            let provider = MoyaProvider<Feed>.stubbed(configuration: ProviderConfiguration(scheduler: time)) { _ in
                .status(200, headers: ["Content-Type": type], Data("data: {}\n\n".utf8))
            }
            let values =
                policy.map { provider.requestEvents(feed, as: Int.self, reconnecting: $0, on: time) }
                ?? provider.requestEvents(feed, as: Int.self)
            let error = try #require(time.play(values).error as? MoyaError)
            #expect(error.description.hasPrefix("GET https://a.example/"), "\(error)")
        }
    }

    @Test("after two failures in a row, the longer one of the stream's time and the policy's delay applies")
    func backsOff() {
        let seen = Log()
        let lost = EndpointSampleResponse.networkError(URLError(.networkConnectionLost))
        let policy = RetryPolicy.exponential(initial: .seconds(2), times: 3, jitter: .none)
        let replies = [
            EndpointSampleResponse.networkResponse(200, Data("retry: 5000\ndata: a\n\n".utf8)), lost, lost,
            .networkResponse(200, Data("retry: 1000\ndata: b\n\n".utf8)), .networkResponse(204, Data()),
        ]
        let events = time.record(connections(replies, policy: policy, seen))
        time.run()
        #expect(events.isCompleted)
        // 5 s of the stream, 5 s of the stream rather than 4 s, 8 s of the policy, 1 s of the stream after an event.
        expectEqual(seen.entries, ["0 s: -", "5 s: -", "10 s: -", "18 s: -", "19 s: -"])
    }

    @Test("R5: a cancel during a delay cancels the timer, and no further request is sent")
    func cancelsWhileWaiting() {
        let seen = Log()
        let lost = EndpointSampleResponse.networkError(URLError(.networkConnectionLost))
        let subscription = connections([lost], policy: .constant(.seconds(5), times: 9), seen).subscribe { _ in
            seen.add("event")
        }
        time.advance(by: .seconds(7))
        subscription.cancel()
        #expect(time.leftovers.isEmpty)
        time.run()
        expectEqual(seen.entries, ["0 s: -", "5 s: -"])
    }

    @Test("an event that is too long, and a cancelled request, end the stream without another request")
    func doesNotReconnect() {
        let seen = Log()
        let long = EndpointSampleResponse.networkResponse(
            200, Data("data: a\n\ndata: \(String(repeating: "b", count: 99))\n\n".utf8))
        let first = time.record(connections([long], policy: .constant(.seconds(1), times: 9), seen, maximumLength: 50))
        let cancelled = EndpointSampleResponse.networkError(URLError(.cancelled))
        let second = time.record(connections([cancelled], policy: .constant(.seconds(1), times: 9), seen))
        time.run()
        expectEqual(first.elements.map(\.data), ["a"])
        expectEqual(first.error as? StreamingError, .tooLong(limit: 50))
        expectEqual((second.error as? MoyaError)?.kind, .cancelled)
        expectEqual(seen.entries, ["0 s: -", "0 s: -"])
    }

    @Test("an event that the end of a connection interrupts is dropped, and its ID is not sent")
    func interruptedEvent() async throws {
        let server = try LoopbackServer { request in
            guard request.headers["Last-Event-ID"] == nil else { return .status(204) }
            let head = LoopbackReply.head(200, ["Content-Type": "text/event-stream", "Content-Length": "99"])
            return LoopbackReply([.send(head + Data("id: 1\ndata: a\n\nid: 2\ndata: b\n".utf8)), .close])
        }
        defer { server.stop() }
        let events = MoyaProvider<Feed>().serverSentEvents(
            Feed(baseURL: server.url), reconnecting: .constant(.zero, times: 3), on: .background)
        try await expectEqual(events.toArray().value(), [ServerSentEvent(id: "1", data: "a")])
        expectEqual(server.requests.map { $0.headers["Last-Event-ID"] }, [nil, "1"])
    }

    /// The status code and content type of a response that is not parsed, and the kind of the error; `nil` for
    /// completion.
    static let refusals: [(Int, String?, MoyaError.Kind?)] =
        [201, 205, 206, 210, 299, 304, 400, 404, 410, 429, 500, 502, 503].map { ($0, "text/event-stream", .http) } + [
            (204, nil, nil), (200, "text/html", .badResponse), (200, nil, .badResponse),
            (200, "application/json", .badResponse), (200, "text/event-streams", .badResponse),
        ]

    @Test(
        "WHATWG HTML, 9.2.3: a response that is not an event stream is not parsed, and not requested again",
        arguments: refusals.indices)
    func refusesWhatIsNoStream(_ index: Int) async throws {
        let (status, type, kind) = Self.refusals[index]
        let server = try LoopbackServer { _ in
            var headers: HTTPHeaders = ["X-Kind": "other"]
            headers["Content-Type"] = type
            return .status(status, headers: headers, body: Data("data: a\n\n".utf8))
        }
        defer { server.stop() }
        let events = MoyaProvider<Feed>().serverSentEvents(
            Feed(baseURL: server.url), reconnecting: .constant(.zero, times: 3), on: .background)
        let seen = Log()
        let end = Promise<(any Error)?>()
        events.subscribe(
            onNext: { seen.add($0.data) }, onError: { end.fulfill($0) }, onCompleted: { end.fulfill(nil) })
        let error = try await end.value()
        expectEqual((error as? MoyaError)?.kind, kind)
        #expect(seen.entries.isEmpty)
        expectEqual(server.requests.count, 1)
    }

    @Test(
        "the content type may have parameters and any case; an ID is trimmed, or omitted if it is invalid",
        arguments: ["text/event-stream", "text/event-stream; charset=utf-8", "Text/Event-Stream"])
    func acceptsAStream(_ type: String) async throws {
        let server = try LoopbackServer { request in
            let ids = [" 1 ", "2\t", "3\u{1}x", "é"]
            let number = request.path == "/feed" ? (request.headers["X-Count"].flatMap(Int.init) ?? 0) : 0
            return .status(
                200, headers: ["Content-Type": type], body: Data("id: \(ids[number])\ndata: a\n\n".utf8))
        }
        defer { server.stop() }
        struct Count: PluginType {
            let count = Box(-1)
            func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
                count.change { $0 += 1 }
                var request = request
                request.setValue("\(min(count.value, 3))", forHTTPHeaderField: "X-Count")
                return request
            }
        }
        let provider = MoyaProvider<Feed>(plugins: [Count()])
        let events = provider.serverSentEvents(
            Feed(baseURL: server.url), reconnecting: .constant(.zero, times: 3), on: .background)
        let five = try await events.take(5).toArray().first()
        expectEqual(five.count, 5)
        expectEqual(server.requests.prefix(5).map { $0.headers["Last-Event-ID"] }, [nil, "1", "2", nil, "é"])
    }

    @Test("the error of a refused response has its content, decoded; the target's Accept is sent")
    func errorBody() {
        let accepts = Log()
        let transport = StubTransport { request in
            accepts.add(request.headers["Accept"] ?? "none")
            return .status(401, headers: ["Content-Type": "application/json"], Data(#"{"message": "sold out"}"#.utf8))
        }
        for validation in [ValidationType.none, .successCodes] {
            let provider = MoyaProvider<Feed>(
                endpointClosure: {
                    MoyaProvider.defaultEndpointMapping(for: $0)
                        .adding(newHTTPHeaderFields: ["Accept": "application/json, text/event-stream"])
                },
                transport: transport, scheduler: time,
                decoding: ResponseDecoding(errorBody: .json([String: String].self)))
            let feed = Feed(baseURL: URL(string: "http://a.example") ?? URL(filePath: "/"), validationType: validation)
            let events = time.record(
                provider.serverSentEvents(feed, reconnecting: .constant(.seconds(1), times: 9), on: time))
            time.run()
            let error = events.error as? MoyaError
            expectEqual(error?.kind, .http)
            expectEqual(error?.body(as: [String: String].self), ["message": "sold out"])
        }
        expectEqual(accepts.entries, Array(repeating: "application/json, text/event-stream", count: 2))
    }

    @Test("a refused response whose content breaks off is a refusal; a page without content is refused at once")
    func brokenRefusals() async throws {
        let heads = ["500 X\r\n": MoyaError.Kind.http, "200 X\r\nContent-Type: text/html\r\n": .badResponse]
        for (head, kind) in heads {
            let server = try LoopbackServer { _ in
                let text = "HTTP/1.1 \(head)Content-Length: 100\r\n\r\n"
                if kind == .http { return LoopbackReply([.send(Data((text + "abc").utf8)), .close]) }
                return LoopbackReply([.send(Data(text.utf8)), .wait(.seconds(3600))])
            }
            defer { server.stop() }
            let failed = Promise<MoyaError?>()
            let feed = Feed(baseURL: server.url)
            let subscription = MoyaProvider<Feed>()
                .serverSentEvents(feed, reconnecting: .constant(.milliseconds(1), times: 2), on: .background)
                .subscribe(onNext: { _ in }, onError: { failed.fulfill($0 as? MoyaError) })
            let error = try await failed.value()
            expectEqual(error?.kind, kind)
            expectEqual(error?.response?.data, Data((kind == .http ? "abc" : "").utf8))
            expectEqual(server.requests.count, 1)
            withExtendedLifetime(subscription) {}
        }
    }
}

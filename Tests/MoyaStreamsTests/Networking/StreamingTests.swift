import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite struct StreamingTests {
    private let time = VirtualTime()

    struct Feed: TargetType {
        var baseURL: URL
        var path = "/feed"
        var validationType = ValidationType.none
    }

    private func chunks(_ texts: String...) -> Observable<Data> { .from(texts.map { Data($0.utf8) }) }

    @Test func chunksBecomeLines() {
        let lines = time.record(chunks("ab", "c\nd", "\r", "\n", "e").lines())
        #expect(lines.elements == ["abc", "d", "e"])
        #expect(lines.isCompleted)
        let failing = time.record(Observable<Data>.concat([chunks("a\nb"), .error(Failure(id: 1))]).lines())
        #expect(failing.elements == ["a"])
        #expect(failing.error as? Failure == Failure(id: 1))
        let long = time.record(chunks("abcd").lines(maximumLength: 3))
        #expect(long.error as? StreamingError == .tooLong(limit: 3))
    }

    @Test func eachSubscriptionParsesForItself() {
        let (signal, emitter) = Signal<Data>.pipe()
        let lines = signal.lines()
        let first = time.record(lines)
        emitter.send(Data("a".utf8))
        let second = time.record(lines)
        emitter.send(Data("b\n".utf8))
        #expect(first.elements == ["ab"])
        #expect(second.elements == ["b"])
    }

    @Test func linesBecomeValuesAndEvents() {
        struct Value: Decodable, Equatable { var n: Int }
        let values = time.record(chunks("{\"n\"", ": 1}\n\n{\"n\": 2}").jsonLines(Value.self))
        #expect(values.elements == [Value(n: 1), Value(n: 2)])
        let broken = time.record(chunks("{\"n\": 1}\nnone\n").jsonLines(Value.self))
        #expect(broken.elements == [Value(n: 1)])
        #expect(broken.error is DecodingError)
        let events = time.record(chunks("id: 1\nda", "ta: x\n\n", "data: lost").serverSentEvents())
        #expect(events.elements == [ServerSentEvent(id: "1", data: "x")])
        #expect(events.isCompleted)
    }

    @Test func aResponseIsStreamedWithItsHead() async throws {
        let server = try LoopbackServer { _ in .chunked([Data("a\n".utf8), Data("b\n".utf8)]) }
        defer { server.stop() }
        let status = Box(0)
        let lines = MoyaProvider<Feed>()
            .requestStream(Feed(baseURL: server.url), onHead: { status.value = $0.statusCode }).lines()
        var received: [String] = []
        for try await line in lines.values { received.append(line) }
        #expect(received == ["a", "b"])
        #expect(status.value == 200)
    }

    @Test("R5: a cancel ends the exchange; a response that validation refuses is a failure")
    func cancelAndFailure() async throws {
        let server = try LoopbackServer { request in
            request.path == "/feed"
                ? LoopbackReply([.send(LoopbackReply.head(200, [:]))] + LoopbackReply.silence.steps) : .status(404)
        }
        defer { server.stop() }
        let provider = MoyaProvider<Feed>()
        let hasBegun = Promise<Void>()
        let subscription = provider.requestStream(Feed(baseURL: server.url), onHead: { _ in hasBegun.fulfil(()) })
            .subscribeNext { _ in }
        try await hasBegun.value()
        subscription.cancel()
        let refused = Feed(baseURL: server.url, path: "/none", validationType: .successCodes)
        let error = await #expect(throws: MoyaError.self) { try await provider.requestStream(refused).first() }
        #expect(error?.kind == .http)
    }

    /// Returns a stream with one reply for each connection; logs the time and the last event ID of each request.
    private func connections(
        _ replies: [EndpointSampleResponse], policy: RetryPolicy, _ seen: Log
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
            Feed(baseURL: URL(filePath: "/")), reconnecting: policy, on: time)
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
        #expect(events.elements.map(\.data) == ["a", "b"])
        #expect(events.isCompleted)
        #expect(seen.entries == ["0 s: -", "2 s: 1", "4 s: 1", "11 s: 2", "18 s: 2"])
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
        #expect(events.elements.map(\.data) == ["a", "b"])
        #expect(events.elements.map(\.id) == ["1", "2"])
        #expect(seen.entries == ["0 s: -", "5 s: 2", "10 s: 2", "15 s: -"])
    }

    @Test("reconnecting stops as the policy decides, and immediately if the response is not an event stream")
    func givesUp() {
        let seen = Log()
        let lost = EndpointSampleResponse.networkError(URLError(.networkConnectionLost))
        let events = time.record(connections([lost], policy: .constant(.seconds(1), times: 2), seen))
        time.run()
        #expect(seen.entries.count == 3)
        #expect((events.error as? MoyaError)?.kind == .connectionLost)
        let refused = Log()
        let other = time.record(
            connections([.networkResponse(404, Data())], policy: .constant(.seconds(1), times: 2), refused))
        time.run()
        #expect(refused.entries.count == 1)
        #expect((other.error as? MoyaError)?.response?.statusCode == 404)
        let ended = time.record(
            connections([.networkResponse(200, Data())], policy: .constant(.seconds(1), times: 1), Log()))
        time.run()
        #expect((ended.error as? MoyaError)?.kind == .connectionLost)
    }

    @Test("lines before one that is too long are delivered, then the failure")
    func deliversThenFails() {
        let recording = time.record(chunks("a\nb\ntoo long\nc\n").lines(maximumLength: 4))
        #expect(recording.elements == ["a", "b"])
        #expect(recording.error is StreamingError)
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
            onNext: { seen.add($0.data) }, onError: { end.fulfil($0) }, onCompleted: { end.fulfil(nil) })
        let error = try await end.value()
        #expect((error as? MoyaError)?.kind == kind)
        #expect(seen.entries.isEmpty)
        #expect(server.requests.count == 1)
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
        #expect(five.count == 5)
        #expect(server.requests.prefix(5).map { $0.headers["Last-Event-ID"] } == [nil, "1", "2", nil, "é"])
    }

    @Test func aMultiTargetProviderStreamsAnyTarget() async throws {
        struct Log: RelativeTarget { var path = "/log" }
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Type": "text/event-stream"], body: Data("id: 1\ndata: x\n\n".utf8))
        }
        defer { server.stop() }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        #expect(try await provider.requestStream(Log()).lines().first() == "id: 1")
        var lines: [String] = []
        for try await line in try await provider.streamedResponse(Log()).lines() { lines.append(line) }
        #expect(lines == ["id: 1", "data: x", ""])
        let events = provider.serverSentEvents(Log(), reconnecting: .constant(.zero, times: 1), on: .background)
        #expect(try await events.first() == ServerSentEvent(id: "1", data: "x"))
        #expect(Set(server.requests.map(\.path)) == ["/log"])
    }
}

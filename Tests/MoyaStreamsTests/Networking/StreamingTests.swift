import Foundation
import MoyaStreams
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite(.queued, .timeLimit(.minutes(10))) struct StreamingTests {
    private let time = VirtualTime()

    struct Feed: TargetType {
        var baseURL: URL
        var path = "/feed"
        var validationType = ValidationType.none
    }

    private func chunks(_ texts: String...) -> Observable<Data> { .from(texts.map { Data($0.utf8) }) }

    @Test func chunksBecomeLines() {
        let lines = time.record(chunks("ab", "c\nd", "\r", "\n", "e").lines())
        expectEqual(lines.elements, ["abc", "d", "e"])
        #expect(lines.isCompleted)
        let failing = time.record(Observable<Data>.concat([chunks("a\nb"), .error(Failure(id: 1))]).lines())
        expectEqual(failing.elements, ["a"])
        expectEqual(failing.error as? Failure, Failure(id: 1))
        let long = time.record(chunks("abcd").lines(maximumLength: 3))
        expectEqual(long.error as? StreamingError, .tooLong(limit: 3))
    }

    @Test func eachSubscriptionParsesForItself() {
        let (signal, emitter) = Signal<Data>.pipe()
        let lines = signal.lines()
        let first = time.record(lines)
        emitter.send(Data("a".utf8))
        let second = time.record(lines)
        emitter.send(Data("b\n".utf8))
        expectEqual(first.elements, ["ab"])
        expectEqual(second.elements, ["b"])
    }

    @Test func linesBecomeValuesAndEvents() {
        struct Value: Decodable, Equatable { var n: Int }
        let values = time.record(chunks("{\"n\"", ": 1}\n\n{\"n\": 2}").jsonLines(Value.self))
        expectEqual(values.elements, [Value(n: 1), Value(n: 2)])
        let broken = time.record(chunks("{\"n\": 1}\nnone\n").jsonLines(Value.self))
        expectEqual(broken.elements, [Value(n: 1)])
        #expect(broken.error is DecodingError)
        let events = time.record(chunks("id: 1\nda", "ta: x\n\n", "data: lost").serverSentEvents())
        expectEqual(events.elements, [ServerSentEvent(id: "1", data: "x")])
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
        expectEqual(received, ["a", "b"])
        expectEqual(status.value, 200)
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
        let subscription = provider.requestStream(Feed(baseURL: server.url), onHead: { _ in hasBegun.fulfill(()) })
            .subscribeNext { _ in }
        try await hasBegun.value()
        subscription.cancel()
        let refused = Feed(baseURL: server.url, path: "/none", validationType: .successCodes)
        let error = await #expect(throws: MoyaError.self) { try await provider.requestStream(refused).first() }
        expectEqual(error?.kind, .http)
    }

    @Test("lines before one that is too long are delivered, then the failure")
    func deliversThenFails() {
        let recording = time.record(chunks("a\nb\ntoo long\nc\n").lines(maximumLength: 4))
        expectEqual(recording.elements, ["a", "b"])
        #expect(recording.error is StreamingError)
    }

    @Test func aMultiTargetProviderStreamsAnyTarget() async throws {
        struct Log: RelativeTarget { var path = "/log" }
        let server = try LoopbackServer { _ in
            .status(200, headers: ["Content-Type": "text/event-stream"], body: Data("id: 1\ndata: x\n\n".utf8))
        }
        defer { server.stop() }
        let provider = MoyaProvider<MultiTarget>(baseURL: server.url)
        try await expectEqual(provider.requestStream(Log()).lines().first(), "id: 1")
        var lines: [String] = []
        for try await line in try await provider.streamedResponse(Log()).lines() { lines.append(line) }
        expectEqual(lines, ["id: 1", "data: x", ""])
        let events = provider.serverSentEvents(Log(), reconnecting: .constant(.zero, times: 1), on: .background)
        try await expectEqual(events.first(), ServerSentEvent(id: "1", data: "x"))
        let numbers = provider.requestEvents(
            Log(), as: Int.self, reconnecting: .constant(.zero, times: 1), on: .background)
        let error = await #expect(throws: MoyaError.self) { try await numbers.first() }
        expectEqual(error?.kind, .decoding)
        expectEqual(Set(server.requests.map(\.path)), ["/log"])
    }
}

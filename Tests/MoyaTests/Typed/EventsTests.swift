import Foundation
import Moya
import TestSupport
import Testing

/// Typed server-sent events and JSON lines, as asynchronous sequences.
@Suite(.queued, .timeLimit(.minutes(10))) struct EventsTests {
    struct Price: Decodable, Sendable, Equatable {
        let unitPrice: Int
    }

    private struct Feed: TargetType {
        var headers: [String: String]?
        var path: String { "/feed" }
        var validationType = ValidationType.none
        var baseURL: URL { URL(string: "https://a.example") ?? URL(filePath: "/") }
    }

    private static let decoding = ResponseDecoding(errorBody: .json([String: String].self)) {
        $0.keyDecodingStrategy = .convertFromSnakeCase
    }

    private func provider(_ reply: PageServer.Reply, _ accepts: Log = Log()) -> MoyaProvider<Feed> {
        let server = PageServer { request in
            accepts.add(request.headers["Accept"] ?? "none")
            return reply
        }
        return MoyaProvider<Feed>(transport: server, decoding: Self.decoding)
    }

    private let stream: HTTPHeaders = ["Content-Type": "text/event-stream; charset=utf-8"]

    @Test("events are requested as an event stream and decoded with the provider's decoder")
    func events() async {
        let accepts = Log()
        let content =
            "data: {\"unit_price\": 1}\n\nevent: ping\ndata: 0\n\ndata: {\"unit_price\":\ndata: 2}\n\ndata: [DONE]\n\n"
        let provider = provider(.init(headers: stream, content: content), accepts)
        let prices = await collect(
            provider.events(Feed(), as: Price.self, where: { $0.event == "message" && $0.data != "[DONE]" }))
        expectEqual(prices.values, [Price(unitPrice: 1), Price(unitPrice: 2)])
        #expect(prices.error == nil)
        _ = await collect(provider.events(Feed(headers: ["Accept": "x/y"]), as: Price.self, where: { _ in false }))
        expectEqual(accepts.entries, ["text/event-stream", "x/y"])
    }

    @Test("an event that cannot be decoded is a failure of the kind `decoding`, after the events before it")
    func undecodable() async {
        let provider = provider(.init(headers: stream, content: "data: {\"unit_price\": 1}\n\ndata: s3cret\n\n"))
        let prices = await collect(provider.events(Feed(), as: Price.self))
        expectEqual(prices.values, [Price(unitPrice: 1)])
        expectEqual(prices.error?.kind, .decoding)
        expectEqual(prices.error?.response?.data, Data("s3cret".utf8))
        #expect(prices.error.map { "\($0)" }?.contains("s3cret") == false)
    }

    @Test("the text of an error names the method and the URL, and where the value is wrong")
    func texts() async {
        let event = #"data: {"unit_price": "x"}"# + "\n\n"
        let events = await collect(provider(.init(headers: stream, content: event)).events(Feed(), as: Price.self))
        let lines = await collect(provider(.init(content: #"{"unit_price": "x"}"#)).jsonLines(Feed(), as: Price.self))
        let refused = await collect(
            provider(.init(status: 409, headers: ["Content-Type": "text/plain"], content: "taken")).events(
                Feed(), as: Price.self))
        let name = "GET https://a.example/feed: status"
        for error in [events.error, lines.error] {
            let text = "\(name) 200: the response body could not be decoded: expected Int at unitPrice"
            expectEqual(error?.description, text)
        }
        expectEqual(refused.error?.description, "\(name) 409: taken")
    }

    @Test("events are not stored, whatever else the target accepts")
    func storing() async {
        let fields = Log()
        let server = PageServer { request in
            fields.add("\(request.headers["Accept"] ?? "-"): \(request.headers["Cache-Control"] ?? "-")")
            return .init(headers: ["Content-Type": "text/event-stream"], content: "")
        }
        let feed = Feed(headers: ["Accept": "application/json"])
        _ = await collect(MoyaProvider<Feed>(transport: server).events(feed, as: Price.self))
        expectEqual(fields.entries, ["application/json: no-store"])
    }

    @Test(
        "a partial response is read if its request asked for a range, and refused otherwise", arguments: [true, false])
    func partialContent(hasRange: Bool) async {
        let headers: [String: String]? = hasRange ? ["Range": "bytes=10-"] : nil
        for validation in [ValidationType.none, .successCodes] {
            let feed = Feed(headers: headers, validationType: validation)
            let events = await collect(
                provider(.init(status: 206, headers: stream, content: "data: {\"unit_price\": 1}\n\n"))
                    .events(feed, as: Price.self))
            let lines = await collect(
                provider(.init(status: 206, content: "{\"unit_price\": 1}\n")).jsonLines(feed, as: Price.self))
            expectEqual(events.values, hasRange ? [Price(unitPrice: 1)] : [])
            expectEqual(lines.values, events.values)
            expectEqual(events.error?.kind, hasRange ? nil : .http)
            expectEqual(lines.error?.kind, events.error?.kind)
        }
    }

    @Test("a refused stream fails with its error body, with and without a validation")
    func refused() async {
        let provider = provider(.init(status: 429, headers: stream, content: #"{"message": "slow down"}"#))
        for validation in [ValidationType.none, .successCodes] {
            let events = await collect(provider.events(Feed(validationType: validation), as: Price.self))
            #expect(events.values.isEmpty)
            expectEqual(events.error?.kind, .http)
            expectEqual(events.error?.response?.statusCode, 429)
            expectEqual(events.error?.body(as: [String: String].self), ["message": "slow down"])
        }
        let lines = await collect(provider.jsonLines(Feed(), as: Price.self))
        expectEqual(lines.error?.body(as: [String: String].self)?["message"], "slow down")
    }

    @Test("the content of a refused response is read up to a limit")
    func largeRefusal() async {
        let provider = provider(.init(status: 500, content: String(repeating: "x", count: 1_000_000)))
        let lines = await collect(provider.jsonLines(Feed(), as: Price.self))
        expectEqual(lines.error?.response?.statusCode, 500)
        expectEqual(lines.error?.response?.data.count, 64 << 10)
    }

    @Test("a response that is not an event stream is refused; 204 has no events")
    func otherTypes() async {
        let html = await collect(
            provider(.init(headers: ["Content-Type": "text/html"], content: "data: 1\n\n")).events(Feed(), as: Int.self)
        )
        #expect(html.values.isEmpty)
        expectEqual(html.error?.kind, .badResponse)
        let none = await collect(
            provider(.init(status: 204, headers: ["X": "y"])).events(Feed(), as: Int.self))
        #expect(none.values.isEmpty)
        #expect(none.error == nil)
    }

    @Test func linesAreDecodedWithTheProvidersDecoder() async {
        let provider = provider(.init(content: "{\"unit_price\": 1}\n\n{\"unit_price\": 2}"))
        let prices = await collect(provider.jsonLines(Feed(), as: Price.self))
        expectEqual(prices.values, [Price(unitPrice: 1), Price(unitPrice: 2)])
    }

    @Test("each iteration sends a request, and none is sent before it begins")
    func cold() async throws {
        let accepts = Log()
        let provider = provider(.init(content: "1\n2\n"), accepts)
        let lines = provider.jsonLines(Feed(), as: Int.self)
        #expect(accepts.entries.isEmpty)
        for try await line in lines where line == 1 { break }
        await expectEqual(collect(lines).values, [1, 2])
        expectEqual(accepts.entries.count, 2)
    }

    @Test("a line that is too long is an error with the limit")
    func limits() async {
        let lines = await collect(
            provider(.init(content: "1\n22222\n")).jsonLines(Feed(), as: Int.self, maximumLength: 4))
        expectEqual(lines.values, [1])
        expectEqual(lines.error?.underlyingError as? StreamingError, .tooLong(limit: 4))
    }
}

import Foundation
import Moya
import MoyaCaching
import MoyaTesting
import TestSupport
import Testing

/// Event streams over a cache.
@Suite(.queued, .timeLimit(.minutes(10))) struct EventStreamCacheTests {
    private func fixture(type: String = "text/event-stream") -> CacheFixture {
        CacheFixture { _, number in
            (200, ["Content-Type": type, "Cache-Control": "max-age=60", "ETag": "\"1\""], "data: \(number)\n\n")
        }
    }

    @Test(
        "each stream of events is a new one, and is requested with no-store",
        arguments: [nil, ["Cache-Control": "max-stale"], ["Accept": "text/event-stream;q=1, application/json"]])
    func isNotReplayed(headers: [String: String]?) async throws {
        let fixture = fixture()
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        for number in 1...3 {
            var values: [Int] = []
            for try await value in provider.events(Page(headers: headers), as: Int.self) { values.append(value) }
            expectEqual(values, [number])
        }
        expectEqual(fixture.cache.statistics.writes, 0)
        expectEqual(fixture.origin.requests.map { $0.headers["Cache-Control"] }, ["no-store", "no-store", "no-store"])
    }

    @Test("a stub without header fields is an event stream behind a cache, too")
    func stub() async throws {
        let stub = StubTransport { _ in .chunks(200, [Data("data: 7\n\n".utf8)], every: .zero) }
        let provider = MoyaProvider<Page>(transport: stub.caching(in: HTTPCache()))
        var values: [Int] = []
        for try await value in provider.events(Page(), as: Int.self) { values.append(value) }
        expectEqual(values, [7])
    }

    @Test(
        "an event stream is not stored, even if its request did not ask for one",
        arguments: [
            "text/event-stream", "Text/Event-Stream; charset=utf-8",
        ])
    func isNotStored(type: String) async throws {
        let fixture = fixture(type: type)
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        for number in 1...2 {
            var data: [String] = []
            for try await event in try await provider.streamedResponse(Page()).serverSentEvents() {
                data.append(event.data)
            }
            expectEqual(data, ["\(number)"])
        }
        expectEqual(fixture.cache.statistics.writes, 0)
    }

    @Test("other streams are cached, and requested without no-store")
    func otherStreams() async throws {
        let fixture = fixture(type: "text/plain")
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        for _ in 1...2 {
            var lines: [String] = []
            for try await line in try await provider.streamedResponse(Page()).lines() { lines.append(line) }
            expectEqual(lines, ["data: 1", ""])
        }
        expectEqual(fixture.origin.requests.map { $0.headers["Cache-Control"] }, [nil])
    }
}

import Foundation
import Moya
import MoyaScheduling
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// A cache below a provider, and on several threads.
@Suite(.queued, .timeLimit(.minutes(10))) struct CacheProviderTests {
    private struct Page: TargetType {
        var baseURL = URL(string: "https://a.test") ?? URL(filePath: "/")
        var path = "/x"
        var headers: [String: String]?
    }

    @Test("33: a stored 503 and the 504 of only-if-cached are not sent again, the server's own 503 is")
    func doesNotRetryStored() async throws {
        let fixture = CacheFixture { _, _ in (503, ["Cache-Control": "max-age=60"], "") }
        let provider = MoyaProvider<Page>(
            transport: fixture.transport, interceptors: [.retry(.constant(.zero, times: 2))])
        // The first repetition is satisfied by the cache.
        try await expectEqual(provider.response(Page()).statusCode, 503)
        expectEqual(fixture.arrivals, 1)
        try await expectEqual(provider.response(Page(headers: ["Cache-Control": "no-cache"])).statusCode, 503)
        expectEqual(fixture.arrivals, 4)
        let unsatisfiable = Page(path: "/y", headers: ["Cache-Control": "only-if-cached"])
        try await expectEqual(provider.response(unsatisfiable).statusCode, 504)
        expectEqual(fixture.arrivals, 4)
    }

    @Test(
        "RFC 5861, 4: a stale response replaces a 503 that stalls, over both transports",
        arguments: TransportKind.allCases)
    func replacesStalledError(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { request in
            request.headers["If-None-Match"] == nil
                ? .status(
                    200, headers: ["Cache-Control": "max-age=0, stale-if-error=100", "ETag": "\"1\""],
                    body: Data("old".utf8))
                : LoopbackReply([
                    .send(LoopbackReply.head(503, ["Content-Length": "20"])), .send(Data("busy".utf8)),
                    .wait(.seconds(3600)),
                ])
        }
        defer { server.stop() }
        let provider = MoyaProvider<Page>(transport: try kind.make().caching(in: HTTPCache()))
        for _ in 0..<2 {
            try await expectEqual(provider.response(Page(baseURL: server.url)).mapString(), "old")
        }
        expectEqual(server.requests.count, 2)
    }

    @Test("the indices of a stored range begin at 0", arguments: [false, true])
    func rangesBeginAtZero(isOnDisk: Bool) async throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { _, _ in
            (200, ["Cache-Control": "max-age=60"], "0123456789")
        }
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        _ = try await provider.response(Page())
        try await until { fixture.cache.statistics.writes == 1 }
        let data = try await provider.response(Page(headers: ["Range": "bytes=3-5"])).data
        #expect(data.startIndex == 0 && data == Data("345".utf8) && fixture.arrivals == 1)
    }

    @Test("31: a cookie of a stored response is not stored again", arguments: [false, true])
    func doesNotStoreCookiesAgain(isOnDisk: Bool) async throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(isOnDisk ? try directory.cache() : HTTPCache()) { request, number in
            let status = request.headers["If-None-Match"] == nil ? 200 : 304
            let cookie: HTTPHeaders = status == 200 || number == 3 ? ["Set-Cookie": "id=\(number)"] : [:]
            return (status, cookie.merging(["Cache-Control": "max-age=60", "ETag": "\"1\""]), "abc")
        }
        let jar = CookieJar()
        let provider = MoyaProvider<Page>(transport: fixture.transport, cookies: jar)
        /// Sends a request; returns the value of the cookie.
        func send() async throws -> String? {
            _ = try await provider.response(Page())
            return jar.cookies.first?.value
        }
        try await expectEqual(send(), "1")
        jar.removeAll()
        #expect(try await send() == nil && fixture.arrivals == 1)
        fixture.time.advance(by: .seconds(60))
        // Confirmed without a cookie, and then with one.
        #expect(try await send() == nil && fixture.arrivals == 2)
        fixture.time.advance(by: .seconds(60))
        #expect(try await send() == "3" && fixture.arrivals == 3)
    }

    @Test("27: a revalidation outlives the cancel of its caller, and is cancelled after a minute")
    func revalidatesAfterCancel() throws {
        let time = VirtualTime()
        let now: @Sendable () -> Date = { Date(timeIntervalSince1970: Double(time.elapsed / .seconds(1))) }
        let origin = SteppedOrigin(["Cache-Control": "max-age=1, stale-while-revalidate=600", "ETag": "\"1\""])
        let cache = HTTPCache()
        let transport = origin.caching(in: cache, scheduler: time, now: now)
        let url = try #require(URL(string: "https://a.test/x"))
        let request = try TransportRequest(method: .get, url: url, delivery: .chunks(window: 1))
        _ = transport.start(request) { _ in }
        origin.deliver(TransportEvents(chunks: [Data("old".utf8)], outcome: TransportOutcome(error: nil)))
        time.advance(by: .seconds(5))
        let stale = transport.start(request) { _ in }
        stale.cancel()
        #expect(!origin.isCancelled && cache.statistics.forwards == 2)
        // A second caller does not start a second one.
        transport.start(request) { _ in }.cancel()
        expectEqual(cache.statistics.forwards, 2)
        origin.deliver(TransportEvents(chunks: [Data("new".utf8)], outcome: TransportOutcome(error: nil)))
        let whole = try TransportRequest(method: .get, url: url)
        expectEqual(transport.collect(whole).text, "new")
        time.advance(by: .seconds(5))
        _ = transport.collect(whole)
        expectEqual(cache.statistics.forwards, 3)
        time.advance(by: .seconds(60))
        #expect(origin.isCancelled)
        origin.deliver(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        // The failure has left the stored response, and allows another attempt.
        expectEqual(transport.collect(whole).text, "new")
        expectEqual(cache.statistics.forwards, 4)
    }

    @Test("many threads use one cache in memory", arguments: [20_000, 1 << 20])
    func usesThreads(_ limit: Int) throws {
        let cache = HTTPCache(maximumSize: limit)
        let origin = ScriptedOrigin { request, _ in
            let path = request.url.path
            return (200, ["Cache-Control": "max-age=600", "Path": path], String(repeating: path, count: 200))
        }
        let transport = origin.caching(in: cache)
        let wrong = Locked(0)
        inParallel(Array(0..<8)) { thread in
            for step in 0..<500 {
                let path = "/\((thread * 7 + step * 13) % 50)"
                guard let url = URL(string: "https://a.test\(path)"),
                    let request = try? TransportRequest(method: .get, url: url)
                else { continue }
                let response = transport.collect(request)
                if response.text != String(repeating: path, count: 200) || response.headers["Path"] != path {
                    wrong.withLock { $0 += 1 }
                }
                if step % 50 == 49 { cache.remove(url) }
                if step == 250, thread == 0 { cache.removeAll() }
            }
        }
        let statistics = cache.statistics
        expectEqual(wrong.withLock { $0 }, 0)
        #expect(statistics.hits + statistics.forwards == 4000 && statistics.hits > 0)
        #expect(statistics.bytes <= limit && statistics.forwards == origin.requests.count)
    }
}

import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// What newer responses and validations change, and who may cancel a validation.
@Suite(.queued, .timeLimit(.minutes(10))) struct CacheUpdateTests {
    private static let date = "Thu, 28 May 2026 20:26:40 GMT"
    private static let url = "https://a.test/x"

    @Test(
        "RFC 9111, 4.1: a Vary that comes with a validation or a response to HEAD applies from then on",
        arguments: ["Accept-Language", "*"], [HTTPMethod.get, .head])
    func varies(_ vary: String, _ method: HTTPMethod) throws {
        let fixture = CacheFixture { request, number in
            switch number {
            case 1: (200, ["Cache-Control": "max-age=0", "ETag": "\"1\""], "de")
            case 2: (method == .get ? 304 : 200, ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Vary": vary], "")
            default: (200, ["Cache-Control": "max-age=60"], request.headers["Accept-Language"] ?? "")
            }
        }
        _ = try fixture.send(.get, Self.url, ["Accept-Language": "de"])
        try expectEqual(fixture.send(method, Self.url, ["Accept-Language": "de"]).text, method == .get ? "de" : "")
        try expectEqual(fixture.send(.get, Self.url, ["Accept-Language": "en"]).text, "en")
        expectEqual(fixture.arrivals, 3)
        try expectEqual(fixture.send(.get, Self.url, ["Accept-Language": "de"]).text, vary == "*" ? "en" : "de")
        expectEqual(fixture.arrivals, 3)
    }

    @Test("RFC 9110, 6.6.1: a 304 response without Date is as fresh as at its receipt")
    func validatesWithoutDate() throws {
        let fixture = CacheFixture { _, number in
            number == 1
                ? (200, ["Cache-Control": "max-age=60", "ETag": "\"1\"", "Date": Self.date], "abc")
                : (304, ["Cache-Control": "max-age=60", "ETag": "\"1\""], "")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(3600))
        try expectEqual(fixture.send().text, "abc")
        fixture.time.advance(by: .seconds(59))
        try expectEqual(fixture.send().text, "abc")
        expectEqual(fixture.arrivals, 2)
    }

    @Test(
        "RFC 9111, 4.3.5: a GET sent as soon as a HEAD has ended does not get the response that the HEAD refuted",
        arguments: ["max-age=60", "public, max-age=60"], [[:], ["Authorization": "a"]] as [HTTPHeaders])
    func comparesHeadFirst(_ directives: String, _ credentials: HTTPHeaders) throws {
        let directory = try TemporaryDirectory()
        let fixture = CacheFixture(try directory.cache()) { _, number in
            (200, ["Cache-Control": directives, "ETag": "\"\(number)\""], "\(number)")
        }
        try expectEqual(fixture.send(.get, Self.url, credentials).text, "1")
        let url = try #require(URL(string: Self.url))
        let get = try TransportRequest(method: .get, url: url, headers: credentials)
        var head = get
        head.method = .head
        head.headers["Cache-Control"] = "no-cache"
        let next = Box(CollectedResponse())
        _ = fixture.transport.start(head) { batch in
            guard batch.outcome != nil else { return }
            _ = fixture.transport.start(get) { batch in next.change { $0.take(batch) } }
        }
        expectEqual(next.value.text, "3")
    }

    enum Excess: CaseIterable {
        case cache, policy
    }

    @Test(
        "RFC 9111, 4: a response is not reused after a newer one that is too large for the cache or its policy",
        arguments: Excess.allCases.flatMap { excess in [false, true].map { (excess, hasLength: $0) } },
        [false, true].flatMap { isOnDisk in [1000, 5000].map { (isOnDisk: isOnDisk, chunk: $0) } })
    func removesReplaced(
        _ newer: (excess: Excess, hasLength: Bool), _ storage: (isOnDisk: Bool, chunk: Int)
    ) throws {
        let directory = try TemporaryDirectory()
        let limit = newer.excess == .cache ? 4000 : 1 << 20
        let cache = storage.isOnDisk ? try directory.cache(limit: limit) : HTTPCache(maximumSize: limit)
        var policy = CachingPolicy()
        policy.largestContent = newer.excess == .policy ? 4000 : 1 << 20
        let url = try #require(URL(string: Self.url))
        for length in [10, 5000] {
            let size: HTTPHeaders = newer.hasLength ? ["Content-Length": "\(length)"] : [:]
            let origin = SteppedOrigin(size.merging(["Cache-Control": "max-age=60"]))
            let reload = try TransportRequest(method: .get, url: url, headers: ["Cache-Control": "no-cache"])
            _ = origin.caching(in: cache, policy: policy).start(reload) { _ in }
            for start in stride(from: 0, to: length, by: storage.chunk) {
                origin.deliver(TransportEvents(chunks: [Data(count: min(storage.chunk, length - start))]))
            }
            origin.deliver(TransportEvents(outcome: TransportOutcome(error: nil)))
            expectEqual(cache.statistics.writes, 1)
        }
        let request = try TransportRequest(method: .get, url: url, headers: ["Cache-Control": "only-if-cached"])
        expectEqual(SteppedOrigin([:]).caching(in: cache, policy: policy).collect(request).statusCode, 504)
    }

    @Test(
        "RFC 9111, 4.3.3: a validation in the background that returns another response removes the stored one",
        arguments: [200, 404, 410, 503], ["ETag", "X-Tag"])
    func removesRefuted(_ statusCode: Int, _ validator: String) throws {
        let fixture = CacheFixture { _, number in
            number == 1
                ? (200, ["Cache-Control": "max-age=1, stale-while-revalidate=60", validator: "\"1\""], "1")
                : (statusCode, ["Cache-Control": "no-store", validator: "\"2\""], "\(number)")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(5))
        try expectEqual(fixture.send().text, "1")
        expectEqual(fixture.arrivals, 2)
        // An error of the server does not show that the stored response is outdated.
        try expectEqual(fixture.send().text, statusCode == 503 ? "1" : "3")
    }

    @Test(
        "RFC 9110, 13.1.2: a tag that is marked as weak in only one of two responses is the same",
        arguments: [(stored: "W/\"1\"", sent: "\"1\""), (stored: "\"1\"", sent: "W/\"1\"")])
    func comparesWeakly(_ tags: (stored: String, sent: String)) throws {
        let fixture = CacheFixture { _, number in
            number == 1 ? (200, ["ETag": tags.stored], "a") : (304, ["ETag": tags.sent], "")
        }
        for _ in 0..<3 { try expectEqual(fixture.send().text, "a") }
        expectEqual(fixture.origin.values("If-None-Match"), [nil, tags.stored, tags.stored])
    }

    @Test("RFC 9110, 9.3.1: content makes a GET another request, which is neither stored nor answered from the cache")
    func content() throws {
        let fixture = CacheFixture { _, number in (200, ["Cache-Control": "max-age=60"], "\(number)") }
        let url = try #require(URL(string: Self.url))
        for (text, expected) in [("cats", "1"), ("dogs", "2"), ("dogs", "3")] {
            let request = try TransportRequest(method: .get, url: url, body: .data(Data(text.utf8)))
            expectEqual(fixture.transport.collect(request).text, expected)
        }
        for expected in ["4", "4"] { try expectEqual(fixture.send().text, expected) }
    }

    @Test(
        "RFC 9111, 4: a response that ends after a newer one does not replace it", arguments: [false, true],
        [(isWhole: false, length: 3), (isWhole: true, length: 3), (isWhole: false, length: 2000)])
    func keepsNewer(_ isOnDisk: Bool, _ older: (isWhole: Bool, length: Int)) throws {
        let directory = try TemporaryDirectory()
        // A response of 2,000 bytes is too long to be stored.
        let cache = isOnDisk ? try directory.cache(limit: 3000) : HTTPCache(maximumSize: 1500)
        let time = VirtualTime()
        func transport(over origin: SteppedOrigin) -> CachingTransport {
            origin.caching(in: cache, scheduler: time) {
                Date(timeIntervalSince1970: 1_780_000_000 + Double(time.elapsed / .seconds(1)))
            }
        }
        let request = try TransportRequest(method: .get, url: try #require(URL(string: Self.url)))
        let headers: HTTPHeaders = ["Cache-Control": "max-age=600"]
        let origins = (0..<2).map { _ in SteppedOrigin(headers, statusCode: older.isWhole ? nil : 200) }
        for origin in origins {
            _ = transport(over: origin).start(request) { _ in }
            time.advance(by: .seconds(30))
        }
        let head = older.isWhole ? ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: headers) : nil
        for (origin, content) in zip(origins.reversed(), [Data("new".utf8), Data(count: older.length)]) {
            origin.deliver(TransportEvents(head: head, chunks: [content], outcome: TransportOutcome(error: nil)))
        }
        expectEqual(transport(over: SteppedOrigin([:])).collect(request).text, "new")
        expectEqual(cache.statistics.responses, 1)
    }

    @Test(
        "RFC 9111, 4.3.3: a response that replaces a stale one without a validator removes it, also if it is not stored",
        arguments: [200, 404])
    func removesStale(_ statusCode: Int) throws {
        let fixture = CacheFixture { _, number in
            number == 1 ? (200, ["Cache-Control": "max-age=1"], "1") : (statusCode, ["Cache-Control": "no-store"], "2")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(5))
        try expectEqual(fixture.send().text, "2")
        try expectEqual(fixture.send(.get, Self.url, ["Cache-Control": "only-if-cached, max-stale"]).statusCode, 504)
    }

    @Test("RFC 5861, 4: a stale response replaces an error of the server whose content does not end")
    func replacesStalledError() throws {
        let cache = HTTPCache()
        let time = VirtualTime()
        let request = try TransportRequest(method: .get, url: try #require(URL(string: Self.url)))
        let origins = [200, 503].map { status in
            SteppedOrigin(["Cache-Control": "max-age=1, stale-if-error=3600"], statusCode: status)
        }
        func collect(from origin: SteppedOrigin) -> Box<CollectedResponse> {
            let response = Box(CollectedResponse())
            _ = origin.caching(in: cache, scheduler: time) {
                Date(timeIntervalSince1970: 1_780_000_000 + Double(time.elapsed / .seconds(1)))
            }.start(request) { batch in response.change { $0.take(batch) } }
            return response
        }
        _ = collect(from: origins[0])
        origins[0].deliver(TransportEvents(chunks: [Data("a".utf8)], outcome: TransportOutcome(error: nil)))
        time.advance(by: .seconds(60))
        let response = collect(from: origins[1])
        origins[1].deliver(TransportEvents(chunks: [Data("busy".utf8)]))
        expectEqual(response.value.text, "")
        time.advance(by: .seconds(1))
        #expect(origins[1].isCancelled)
        origins[1].deliver(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        #expect(response.value.text == "a" && response.value.statusCode == 200)
        #expect(time.leftovers.isEmpty)
    }

    @Test("RFC 9111, 3.5: a private response that replaces a shared one removes it for all users")
    func becomesPrivate() throws {
        let fixture = CacheFixture { _, number in
            number == 1
                ? (200, ["Cache-Control": "public, max-age=1, stale-while-revalidate=600"], "1")
                : (200, ["Cache-Control": "private, max-age=60"], "\(number)")
        }
        for user in ["a", "b"] {
            try expectEqual(fixture.send(.get, Self.url, ["Authorization": user]).text, "1")
            fixture.time.advance(by: .seconds(5))
        }
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "c"]).text, "3")
        try expectEqual(fixture.send(.get, Self.url, ["Authorization": "b"]).text, "2")
    }

    @Test("RFC 9111, 4.3.5: a HEAD whose tag is only stronger than that of the stored response confirms it")
    func comparesHeadWeakly() throws {
        let fixture = CacheFixture { request, number in
            request.headers["If-None-Match"] != nil
                ? (304, ["ETag": "\"1\""], "") : (200, ["ETag": request.method == .head ? "\"1\"" : "W/\"1\""], "a")
        }
        _ = try fixture.send()
        _ = try fixture.send(.head)
        try expectEqual(fixture.send().text, "a")
        expectEqual(fixture.origin.values("If-None-Match"), [nil, nil, "W/\"1\""])
    }

    @Test("RFC 9111, 5.2.2.5: a 304 response with no-store removes the stored response, and says so")
    func removesWithNoStore() throws {
        let fixture = CacheFixture { _, number in
            number == 1 ? (200, ["ETag": "\"1\""], "a") : (304, ["ETag": "\"1\"", "Cache-Control": "no-store"], "")
        }
        _ = try fixture.send()
        let response = try fixture.send()
        #expect(response.text == "a" && response.status?.isStored == false)
        expectEqual(fixture.cache.statistics.responses, 0)
    }

    @Test("the user of a URL separates responses, but not what a PUT invalidates")
    func users() throws {
        let fixture = CacheFixture { _, number in (200, ["Cache-Control": "max-age=60"], "\(number)") }
        for _ in 0..<2 {
            try expectEqual(fixture.send(.get, "https://joe:a@a.test/").text, "1")
            try expectEqual(fixture.send(.get, "https://eve:b@a.test/").text, "2")
            try expectEqual(fixture.send(.get, "https://a.test/").text, "3")
        }
        _ = try fixture.send(.put, "https://eve:b@a.test/")
        try expectEqual(fixture.send(.get, "https://joe:a@a.test/").text, "5")
    }

    @Test("an error that is longer than what is drained is replaced, also if it comes before start returns")
    func drainsBeforeStartReturns() throws {
        let long = Endless(statusCode: 503)
        let fixture = CacheFixture { _, _ in (200, ["Cache-Control": "max-age=1, stale-if-error=60"], "abc") }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(5))
        let transport = long.caching(in: fixture.cache, scheduler: fixture.time, now: fixture.transport.now)
        let url = try #require(URL(string: Self.url))
        let response = transport.collect(try TransportRequest(method: .get, url: url, delivery: .chunks(window: nil)))
        expectEqual(response.text, "abc")
    }

    @Test("removeAll, as at a log-out, cancels a validation in the background")
    func logOut() throws {
        let held = Endless(statusCode: nil)
        let fixture = CacheFixture { _, _ in (200, ["Cache-Control": "max-age=1, stale-while-revalidate=60"], "abc") }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(5))
        let transport = held.caching(in: fixture.cache, scheduler: fixture.time, now: fixture.transport.now)
        let url = try #require(URL(string: Self.url))
        expectEqual(transport.collect(try TransportRequest(method: .get, url: url)).text, "abc")
        expectEqual(held.exchanges.value.map(\.isCancelled), [false])
        fixture.cache.removeAll()
        expectEqual(held.exchanges.value.map(\.isCancelled), [true])
    }
}

/// Responds with a head and 100,000 bytes before `start` returns, and ends only when it is cancelled.
private struct Endless: Transport {
    /// `nil` if there is no response.
    let statusCode: Int?
    let exchanges = Box<[Exchange]>([])
    var capabilities: TransportCapabilities { [] }

    final class Exchange: TransportExchange {
        private let receive: @Sendable (TransportEvents) -> Void
        private let cancelled = Box(false)

        init(_ receive: @escaping @Sendable (TransportEvents) -> Void) {
            self.receive = receive
        }

        var isCancelled: Bool { cancelled.value }

        func cancel() {
            guard !cancelled.value else { return }
            cancelled.value = true
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        }

        func acknowledge(_ bytes: Int) {}
    }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        if let statusCode {
            receive(
                TransportEvents(
                    head: ResponseHead(statusCode: statusCode, version: "HTTP/1.1", headers: [:]),
                    chunks: [Data(count: 100_000)]))
        }
        let exchange = Exchange(receive)
        exchanges.change { $0.append(exchange) }
        return exchange
    }
}

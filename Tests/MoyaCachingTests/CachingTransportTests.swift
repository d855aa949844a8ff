import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaCaching

/// The numbers in the names are those of the edge cases in the design.
@Suite(.queued, .timeLimit(.minutes(10))) struct CachingTransportTests {
    private static let fresh: HTTPHeaders = ["Cache-Control": "max-age=60", "ETag": "\"1\""]

    @Test(
        "1, 2, 3, 5, 8, 9, 17: a response that must not be stored is requested again",
        arguments: [
            (200, ["Cache-Control": "no-store, max-age=60"], "abc"),
            (599, ["Cache-Control": "max-age=60, no-store, must-understand"], ""),
            (206, ["Cache-Control": "max-age=60", "Content-Range": "bytes 0-2/9"], "abc"),
            (200, ["Cache-Control": "max-age=60, private=\"a"], "abc"),
            (200, ["Cache-Control": "max-age=60", "Content-Length": "4"], "abc"),
            (412, ["Cache-Control": "max-age=60"], ""), (416, ["Cache-Control": "max-age=60"], ""),
            (401, ["Cache-Control": "max-age=60"], ""), (407, ["Cache-Control": "max-age=60"], ""),
            (200, ["Cache-Control": "max-age=60", "Vary": "A, *"], "abc"), (403, ["ETag": "\"1\""], "abc"),
            (200, [:], "abc"),
        ] as [(Int, HTTPHeaders, String)])
    func doesNotStore(_ statusCode: Int, _ headers: HTTPHeaders, _ content: String) throws {
        let fixture = CacheFixture { _, _ in (statusCode, headers, content) }
        try expectEqual(fixture.send().statusCode, statusCode)
        expectEqual(fixture.cache.statistics.responses, 0)
        _ = try fixture.send()
        expectEqual(fixture.arrivals, 2)
    }

    @Test(
        "2, 4, 10, 11, 12, 39: a response with a lifetime of a minute is reused for a minute",
        arguments: [
            (200, ["Cache-Control": "max-age=60, private, s-maxage=0, proxy-revalidate"]),
            (451, ["Cache-Control": "max-age=60"]),
            (300, ["Cache-Control": "max-age=60"]), (404, ["Cache-Control": "max-age=60, max-age=0"]),
            (200, ["Cache-Control": "max-age=60, no-store, must-understand"]),
            (200, ["Cache-Control": "MAX-AGE=\"60\", private="]),
            (200, ["Cache-Control": "max-age=60", "Expires": "0"]),
            (200, ["Cache-Control": "max-age=60", "CDN-Cache-Control": "no-store"]),
            (308, ["Cache-Control": "max-age=60", "Location": "/y"]),
        ] as [(Int, HTTPHeaders)])
    func reuses(_ statusCode: Int, _ headers: HTTPHeaders) throws {
        let fixture = CacheFixture { _, _ in (statusCode, headers, "abc") }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(59))
        let response = try fixture.send()
        expectEqual(fixture.arrivals, 1)
        #expect(response.statusCode == statusCode && response.text == "abc" && response.headers["Age"] == "59")
        #expect(response.status?.isHit == true && response.status?.timeToLive == 1)
        fixture.time.advance(by: .seconds(1))
        _ = try fixture.send()
        expectEqual(fixture.arrivals, 2)
    }

    @Test("6, 7: fields that `no-cache` or `Connection` names are not stored")
    func stripsFields() throws {
        let fixture = CacheFixture { _, _ in
            (200, ["Cache-Control": "max-age=60, no-cache=\"a\"", "A": "1", "B": "2", "C": "3", "Connection": "B"], "")
        }
        try expectEqual(fixture.send().headers["A"], "1")
        let reused = try fixture.send().headers
        #expect(reused["A"] == nil && reused["B"] == nil && reused["Connection"] == nil && reused["C"] == "3")
    }

    @Test(
        "a response is stale if the clock was set back by more than its lifetime",
        arguments: [(59, true), (61, false), (31_536_000, false)] as [(TimeInterval, Bool)])
    func expiresWhenClockIsSetBack(_ seconds: TimeInterval, _ isHit: Bool) throws {
        let fixture = CacheFixture { _, number in (200, Self.fresh, "\(number)") }
        _ = try fixture.send()
        let transport = fixture.origin.caching(
            in: fixture.cache, scheduler: fixture.time, now: { fixture.transport.now().addingTimeInterval(-seconds) })
        let url = try #require(URL(string: "https://a.test/x"))
        let response = transport.collect(try TransportRequest(method: .get, url: url))
        #expect(response.status?.isHit == isHit && response.text == (isHit ? "1" : "2"))
    }

    @Test("14: by default, no heuristic lifetime is used")
    func heuristicIsOff() throws {
        let headers: HTTPHeaders = [
            "Date": "Thu, 28 May 2026 20:26:40 GMT", "Last-Modified": "Mon, 18 May 2026 20:26:40 GMT",
        ]
        let off = CacheFixture { request, _ in (request.headers["If-Modified-Since"] == nil ? 200 : 304, headers, "a") }
        var policy = CachingPolicy()
        policy.heuristic = 0.1
        let on = CacheFixture(policy: policy) { _, _ in (200, headers, "a") }
        for fixture in [off, on] { for _ in 0..<2 { try expectEqual(fixture.send().text, "a") } }
        #expect(off.arrivals == 2 && on.arrivals == 1)
    }

    @Test(
        "16: the key is the normalized URL",
        arguments: [
            ("HTTPS://A.test:443/x?q=1#f", "https://a.test/x?q=1", true), ("https://a.test", "https://a.test/", true),
            ("https://a.test/x?a=1&b=2", "https://a.test/x?b=2&a=1", false),
            ("https://a.test/X", "https://a.test/x", false),
            ("http://a.test/x", "https://a.test/x", false), ("https://a.test:444/x", "https://a.test/x", false),
            ("https://u@a.test/x", "https://a.test/x", true), ("http://a.test:443/", "http://a.test/", false),
        ])
    func normalizesURLs(_ first: String, _ second: String, _ isEqual: Bool) throws {
        let keys = try [first, second].map { CacheKey.normalized(try #require(URL(string: $0))) }
        expectEqual(keys[0] == keys[1], isEqual)
    }

    @Test("17: variants are stored side by side, and an absent field matches an absent one")
    func keepsVariants() throws {
        let fixture = CacheFixture { request, _ in
            (200, ["Cache-Control": "max-age=60", "Vary": "ACCEPT"], request.headers["Accept"] ?? "none")
        }
        for _ in 0..<2 {
            try expectEqual(fixture.send(.get, "https://a.test/x", ["accept": "a, b"]).text, "a, b")
            try expectEqual(fixture.send(.get, "https://a.test/x", ["Accept": "c"]).text, "c")
            try expectEqual(fixture.send().text, "none")
        }
        try expectEqual(fixture.send(.get, "https://a.test/x", ["Accept": "a,b"]).text, "a, b")
        expectEqual(fixture.arrivals, 3)
    }

    @Test("19: HEAD is satisfied by a stored GET, GET never by a stored HEAD")
    func satisfiesHead() throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh, "abc") }
        _ = try fixture.send(.head)
        _ = try fixture.send(.get)
        expectEqual(fixture.arrivals, 2)
        let head = try fixture.send(.head)
        #expect(fixture.arrivals == 2 && head.content.isEmpty && head.headers["ETag"] == "\"1\"")
    }

    @Test(
        "15, 20: directives of a request are respected",
        arguments: [
            ("max-age=60", "max-age=5", 10, false), ("max-age=60", "max-age=20", 10, true),
            ("max-age=60", "max-age=0", 0, false),
            ("max-age=60, immutable", "max-age=0", 10, true), ("max-age=60, immutable", "no-cache", 10, false),
            ("max-age=60", "min-fresh=50", 10, true), ("max-age=60", "min-fresh=51", 10, false),
            ("max-age=60", "max-stale", 600, true),
            ("max-age=60", "max-stale=5", 65, true), ("max-age=60", "max-stale=5", 66, false),
            ("max-age=60", "max-age=65, max-stale", 65, true), ("max-age=60", "max-age=64, max-stale", 65, false),
            ("max-age=60", "max-age=39, max-stale", 40, false),
            ("max-age=60", "no-store", 10, false),
            ("max-age=60, must-revalidate", "max-stale", 61, false), ("no-cache", "max-stale", 1, false),
            ("max-age=60", "only-if-cached", 10, true),
        ])
    func obeysRequests(_ stored: String, _ asked: String, _ age: Int, _ isReused: Bool) throws {
        let fixture = CacheFixture { _, _ in (200, ["Cache-Control": stored, "ETag": "\"1\""], "abc") }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(age))
        _ = try fixture.send(.get, "https://a.test/x", ["Cache-Control": asked])
        expectEqual(fixture.arrivals == 1, isReused)
    }

    @Test("20, 33: only-if-cached without a stored response gives 504")
    func failsOnlyIfCached() throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh, "abc") }
        let response = try fixture.send(.get, "https://a.test/x", ["Cache-Control": "only-if-cached"])
        #expect(response.statusCode == 504 && fixture.arrivals == 0 && response.status != nil)
    }

    @Test("21, 22: a stale response is validated, and updated by 304")
    func validates() throws {
        let modified = "Mon, 18 May 2026 20:26:40 GMT"
        let fixture = CacheFixture { request, number in
            let headers: HTTPHeaders = [
                "Cache-Control": "max-age=10", "ETag": "W/\"1\"", "Last-Modified": modified, "N": "\(number)",
            ]
            return (request.headers["If-None-Match"] == nil ? 200 : 304, headers, "abc")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(10))
        let response = try fixture.send()
        #expect(response.statusCode == 200 && response.text == "abc" && response.headers["N"] == "2")
        #expect(response.status?.forwardReason == .stale && response.status?.forwardStatusCode == 304)
        expectEqual(fixture.origin.requests[1].headers["If-None-Match"], "W/\"1\"")
        expectEqual(fixture.origin.requests[1].headers["If-Modified-Since"], modified)
        #expect(try fixture.send().status?.isHit == true)
    }

    @Test("22: after a 304 for another response, a request without validators is sent")
    func asksAgain() throws {
        let fixture = CacheFixture { request, number in
            (
                request.headers["If-None-Match"] == nil ? 200 : 304,
                ["Cache-Control": "no-cache", "ETag": "\"\(number)\""], "\(number)"
            )
        }
        _ = try fixture.send()
        try expectEqual(fixture.send().text, "3")
        expectEqual(fixture.arrivals, 3)
    }

    @Test("25: a fresh response satisfies the preconditions of the caller")
    func satisfiesPreconditions() throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh, "abc") }
        _ = try fixture.send()
        for (tag, statusCode) in [("\"1\"", 304), ("*", 304), ("\"0\", W/\"1\"", 304), ("\"0\"", 200)] {
            try expectEqual(fixture.send(.get, "https://a.test/x", ["If-None-Match": tag]).statusCode, statusCode)
        }
        expectEqual(fixture.arrivals, 1)
        for name in ["If-Match", "If-Unmodified-Since"] {
            _ = try fixture.send(.get, "https://a.test/x", [name: "\"1\""])
        }
        expectEqual(fixture.arrivals, 3)
    }

    @Test("a stored response satisfies If-Range with its own strong validator")
    func satisfiesIfRange() throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh, "abc") }
        _ = try fixture.send()
        func send(_ validator: String, _ policy: URLRequest.CachePolicy) throws -> CollectedResponse {
            let fields: HTTPHeaders = ["Range": "bytes=1-", "If-Range": validator]
            return try fixture.send(.get, "https://a.test/x", fields, policy: policy)
        }
        for policy in [.useProtocolCachePolicy, .returnCacheDataElseLoad] as [URLRequest.CachePolicy] {
            let response = try send("\"1\"", policy)
            expectEqual(response.statusCode, 206)
            expectEqual(response.text, "bc")
        }
        try expectEqual(send("\"2\"", .returnCacheDataDontLoad).statusCode, 200)
        expectEqual(fixture.arrivals, 1)
        _ = try send("\"2\"", .useProtocolCachePolicy)
        _ = try send("W/\"1\"", .useProtocolCachePolicy)
        expectEqual(fixture.arrivals, 3)
    }

    @Test("26: a response to HEAD for another representation removes the stored one")
    func comparesHead() throws {
        let fixture = CacheFixture { request, _ in
            (200, ["Cache-Control": "max-age=5", "ETag": request.method == .head ? "\"2\"" : "\"1\""], "a")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(9))
        _ = try fixture.send(.head)
        expectEqual(fixture.cache.statistics.responses, 0)
    }

    @Test("27: one request in the background revalidates a response for many callers")
    func revalidatesInBackground() throws {
        let fixture = CacheFixture { _, number in
            (200, ["Cache-Control": "max-age=1, stale-while-revalidate=60"], "\(number)")
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(5))
        let stale = try fixture.send(.get, "https://a.test/x", [:], delivery: .chunks(window: 1))
        #expect(stale.status?.isHit == true && stale.status?.timeToLive == -4 && stale.text == "1")
        expectEqual(fixture.arrivals, 2)
        try expectEqual(fixture.send().text, "2")
        expectEqual(fixture.arrivals, 2)
    }

    @Test(
        "24, 28, 29: a stale response replaces an error if that is allowed",
        arguments: [
            ("max-age=1, stale-if-error=60", 503, true), ("max-age=1, stale-if-error=60", nil, true),
            ("max-age=1, stale-if-error=60", 404, false), ("max-age=1, stale-if-error=3", 503, false),
            ("max-age=1", 503, false),
            ("max-age=1, stale-if-error=60, must-revalidate", nil, false), ("no-cache, stale-if-error=60", 500, false),
        ] as [(String, Int?, Bool)])
    func replacesErrors(_ directives: String, _ statusCode: Int?, _ isReplaced: Bool) throws {
        let fixture = CacheFixture { _, number in
            number == 1
                ? (200, ["Cache-Control": directives, "ETag": "\"1\""], "abc") : statusCode.map { ($0, [:], "error") }
        }
        _ = try fixture.send()
        fixture.time.advance(by: .seconds(5))
        let response = try fixture.send()
        #expect((response.statusCode == 200) == isReplaced && (response.text == "abc") == isReplaced)
        #expect((response.status?.isFromCache == true) == isReplaced && response.status?.isHit != true)
        expectEqual(fixture.arrivals, 2)
    }

    @Test(
        "30: successful requests with other methods invalidate URLs of the same origin",
        arguments: [
            ("POST", 200, "https://a.test/x", true), ("PATCH", 303, "https://a.test/x", true),
            ("FOO", 204, "https://a.test/x", true),
            ("DELETE", 404, "https://a.test/x", false), ("OPTIONS", 200, "https://a.test/x", false),
            ("PUT", 201, "https://a.test/location", true), ("PUT", 201, "https://b.test/location", false),
        ])
    func invalidates(_ method: String, _ statusCode: Int, _ url: String, _ isRemoved: Bool) throws {
        let fixture = CacheFixture { request, _ in
            request.method == .get ? (200, Self.fresh, "abc") : (statusCode, ["Location": url], "")
        }
        _ = try fixture.send(.get, url, ["Authorization": "b"])
        _ = try fixture.send(HTTPMethod(rawValue: method), "https://a.test/x")
        expectEqual(fixture.cache.statistics.responses == 0, isRemoved)
    }

    @Test("31: a reused response is marked, so that its cookies are not stored again")
    func marksReusedHeads() throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh.merging(["Set-Cookie": "a=b"]), "") }
        #expect(try fixture.send().head?.isReused == false)
        let reused = try fixture.send()
        #expect(reused.head?.isReused == true && reused.headers["Set-Cookie"] == "a=b")
    }

    @Test("32: users do not share responses")
    func partitions() throws {
        let fixture = CacheFixture { request, _ in (200, Self.fresh, request.headers["Authorization"] ?? "none") }
        for user in ["a", "b", "a"] {
            try expectEqual(fixture.send(.get, "https://a.test/x", ["Authorization": user]).text, user)
        }
        try expectEqual(fixture.send().text, "none")
        expectEqual(fixture.arrivals, 3)
    }

    @Test(
        "35, 36: ranges are served from a complete response without a content coding",
        arguments: [
            ("bytes=0-1", 206, "01"), ("bytes=8-", 206, "89"), ("bytes=-3", 206, "789"),
            ("bytes=-99", 206, "0123456789"),
            ("BYTES=9-99999999999999999999", 206, "9"), ("bytes=10-", 416, ""), ("bytes=-0", 416, ""),
        ])
    func satisfiesRanges(_ range: String, _ statusCode: Int, _ content: String) throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh, "0123456789") }
        _ = try fixture.send()
        let response = try fixture.send(.get, "https://a.test/x", ["Range": range])
        #expect(response.statusCode == statusCode && response.text == content && fixture.arrivals == 1)
        let encoded = CacheFixture { _, _ in (200, Self.fresh.merging(["Content-Encoding": "gzip"]), "0123456789") }
        for _ in 0..<2 { _ = try encoded.send(.get, "https://a.test/x", ["Range": range]) }
        expectEqual(encoded.arrivals, 2)
    }

    @Test(
        "35: malformed ranges and several ranges are forwarded",
        arguments: ["bytes=2-1", "bytes=0-1,3-4", "bytes=-", "lines=1-2", "bytes=a-b"])
    func forwardsRanges(_ range: String) throws {
        let fixture = CacheFixture { _, _ in (200, Self.fresh, "0123456789") }
        for _ in 0..<2 { _ = try fixture.send(.get, "https://a.test/x", ["Range": range]) }
        expectEqual(fixture.arrivals, 2)
    }

    @Test("38: repeated fields keep their order")
    func keepsOrder() throws {
        let fixture = CacheFixture { _, _ in
            (
                200, HTTPHeaders(dictionaryLiteral: ("A", "2"), ("B", "x"), ("A", "1"), ("Cache-Control", "max-age=9")),
                ""
            )
        }
        _ = try fixture.send()
        try expectEqual(fixture.send().headers.values(for: "A"), ["2", "1"])
    }

    @Test("a hit takes as long if thousands of users have stored the URL")
    func findsOneOfManyUsers() throws {
        let fixture = CacheFixture(limit: 32 << 20) { _, _ in (200, Self.fresh, "") }
        for user in 0..<4000 { _ = try fixture.send(.get, "https://a.test/many", ["Authorization": "\(user)"]) }
        _ = try fixture.send(.get, "https://a.test/one", ["Authorization": "0"])
        func time(_ path: String) throws -> Duration {
            let times = try (0..<5).map { _ in
                try ContinuousClock().measure {
                    for _ in 0..<20 { _ = try fixture.send(.get, "https://a.test/\(path)", ["Authorization": "0"]) }
                }
            }
            return try #require(times.min())
        }
        try #expect(time("many") < time("one") * 4)
        #expect(fixture.arrivals == 4001 && fixture.cache.statistics.responses == 4001)
        try fixture.cache.remove(#require(URL(string: "https://a.test/many")))
        #expect(fixture.cache.statistics.responses == 1)
    }

    @Test("a cache without space does not claim to store a response")
    func storesNothing() throws {
        let fixture = CacheFixture(limit: 0) { _, _ in (200, Self.fresh, "") }
        for _ in 0..<2 { try expectEqual(fixture.send().status?.isStored, false) }
        #expect(fixture.cache.statistics.responses == 0 && fixture.cache.statistics.writes == 0)
    }

    @Test("43: the limit is respected, the least recently used responses are removed, and a larger one is not stored")
    func keepsLimit() throws {
        let fixture = CacheFixture(limit: 20_000) { request, _ in
            (200, Self.fresh, String(repeating: "a", count: request.url.path == "/large" ? 20_000 : 1000))
        }
        for number in 0..<100 {
            _ = try fixture.send(.get, "https://a.test/\(number)")
            _ = try fixture.send(.get, "https://a.test/0")
            #expect(fixture.cache.statistics.bytes <= 20_000)
        }
        #expect(fixture.arrivals == 100 && fixture.cache.statistics.bytes > 16_000)
        _ = try fixture.send(.get, "https://a.test/large")
        #expect(fixture.cache.statistics.responses > 8)
        expectEqual(fixture.cache.statistics.hits, 100)
        fixture.cache.removeAll()
        #expect(fixture.cache.statistics.bytes == 0 && fixture.cache.statistics.responses == 0)
    }
}

import Foundation
import Moya
import MoyaCaching
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The cache policies of Foundation, over a cache of this package.
@Suite(.queued, .timeLimit(.minutes(10))) struct CachePolicyTests {
    private func page(_ policy: URLRequest.CachePolicy, headers: [String: String]? = nil) -> Page {
        Page(headers: headers, options: RequestOptions(cachePolicy: policy))
    }

    /// A server whose responses are numbered, and stale after 10 seconds.
    private func fixture(_ directives: String = "max-age=10") -> CacheFixture {
        CacheFixture { request, number in
            let headers: HTTPHeaders = ["Cache-Control": directives, "ETag": "\"1\""]
            return (request.headers["If-None-Match"] == nil ? 200 : 304, headers, "\(number)")
        }
    }

    @Test(
        "`returnCacheData…` returns a stored response regardless of its age",
        arguments: [URLRequest.CachePolicy.returnCacheDataElseLoad, .returnCacheDataDontLoad],
        ["max-age=10", "max-age=10, must-revalidate", "no-cache", "max-age=0"])
    func returnsStored(_ policy: URLRequest.CachePolicy, _ directives: String) async throws {
        let fixture = fixture(directives)
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        _ = try await provider.response(Page())
        fixture.time.advance(by: .seconds(100_000))
        let response = try await provider.response(page(policy))
        try expectEqual(response.mapString(), "1")
        #expect(response.cacheStatus?.isHit == true && fixture.arrivals == 1)
    }

    @Test("an old error is no data to show, neither by the policy nor after a failure", arguments: [404, 503])
    func oldErrors(_ statusCode: Int) throws {
        let isDown = Box(false)
        var policy = CachingPolicy()
        policy.staleIfError = .seconds(86_400)
        let fixture = CacheFixture(policy: policy) { _, number in
            isDown.value ? nil : (number == 1 ? statusCode : 200, ["Cache-Control": "max-age=10"], "\(number)")
        }
        try expectEqual(fixture.send(policy: .returnCacheDataElseLoad).statusCode, statusCode)
        try expectEqual(fixture.send(policy: .returnCacheDataElseLoad).status?.isHit, true)
        fixture.time.advance(by: .seconds(11))
        isDown.value = true
        #expect(try fixture.send().outcome?.failure != nil)
        isDown.value = false
        try expectEqual(fixture.send(policy: .returnCacheDataElseLoad).text, "3")
    }

    @Test("in virtual time, a stored response becomes stale when the time of the scheduler has passed")
    func virtualTime() throws {
        let time = VirtualTime()
        let origin = ScriptedOrigin { _, number in (200, ["Cache-Control": "max-age=60"], "\(number)") }
        let transport = origin.caching(in: HTTPCache(), scheduler: time)
        let provider = MoyaProvider<Page>(transport: transport, scheduler: time)
        for (delay, text) in [(0, "1"), (59, "1"), (2, "2"), (600, "3")] {
            time.advance(by: .seconds(delay))
            try expectEqual(time.run { try await provider.response(Page()) }.mapString(), text)
        }
    }

    @Test("a reload whose response must not be stored removes the stored one")
    func reloadsWithoutStoring() throws {
        let fixture = CacheFixture { _, number in
            (200, ["Cache-Control": number == 2 ? "no-store" : "max-age=60"], "\(number)")
        }
        try expectEqual(fixture.send().text, "1")
        try expectEqual(fixture.send(policy: .reloadIgnoringLocalCacheData).text, "2")
        try expectEqual(fixture.send().text, "3")
        // A request that forbids storing leaves the stored response.
        _ = try fixture.send(.get, "https://a.test/x", ["Cache-Control": "no-store"])
        try expectEqual(fixture.send().text, "3")
    }

    @Test("`returnCacheDataElseLoad` loads what is not stored")
    func loads() async throws {
        let fixture = fixture()
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        try await expectEqual(provider.response(page(.returnCacheDataElseLoad)).mapString(), "1")
    }

    @Test("`returnCacheDataDontLoad` fails without a stored response, and sends nothing", arguments: [true, false])
    func doesNotLoad(hasCache: Bool) async throws {
        let fixture = fixture()
        let provider = MoyaProvider<Page>(
            transport: hasCache ? fixture.transport : fixture.origin, interceptors: [.retry(.constant(.zero, times: 2))]
        )
        for method in [HTTPMethod.get, .post] {
            var page = page(.returnCacheDataDontLoad)
            page.method = method
            let error = await #expect(throws: MoyaError.self) { try await provider.response(page) }
            guard case .underlying(let cause as URLError, nil) = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            expectEqual(cause.code, .resourceUnavailable)
            expectEqual(error?.localizedDescription, "The content isn't available offline.")
        }
        expectEqual(fixture.arrivals, 0)
    }

    @Test(
        "`reloadIgnoring…` uses no stored response, not even to validate it, and stores the new one",
        arguments: [URLRequest.CachePolicy.reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData])
    func ignoresStored(_ policy: URLRequest.CachePolicy) async throws {
        let fixture = fixture()
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        for headers in [nil, ["Cache-Control": "max-stale"]] {
            _ = try await provider.response(Page())
            let number = fixture.arrivals + 1
            let reloaded = try await provider.response(page(policy, headers: headers))
            #expect(try reloaded.mapString() == "\(number)" && reloaded.cacheStatus?.isHit == false)
            #expect(fixture.origin.requests.last?.headers["If-None-Match"] == nil)
            try await expectEqual(provider.response(Page()).mapString(), "\(number)")
            expectEqual(fixture.arrivals, number)
        }
    }

    @Test("`reloadRevalidatingCacheData` validates a fresh response", arguments: [nil, ["Cache-Control": "max-stale"]])
    func validates(_ headers: [String: String]?) async throws {
        let fixture = fixture()
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        _ = try await provider.response(Page())
        let response = try await provider.response(page(.reloadRevalidatingCacheData, headers: headers))
        try expectEqual(response.mapString(), "1")
        #expect(response.cacheStatus?.forwardStatusCode == 304 && fixture.arrivals == 2)
    }

    @Test("the policy of a `URLRequest` has the same meaning as the policy of a target")
    func urlRequest() async throws {
        struct Offline: PluginType {
            func prepare(_ request: URLRequest, target: any RelativeTarget) -> URLRequest {
                var request = request
                request.cachePolicy = .returnCacheDataDontLoad
                return request
            }
        }
        let fixture = fixture()
        let online = MoyaProvider<Page>(transport: fixture.transport)
        let offline = MoyaProvider<Page>(transport: fixture.transport, plugins: [Offline()])
        await #expect(throws: MoyaError.self) { try await offline.response(Page()) }
        _ = try await online.response(Page())
        fixture.time.advance(by: .seconds(60))
        try await expectEqual(offline.response(Page()).mapString(), "1")
        expectEqual(fixture.arrivals, 1)
    }

    @Test("`returnCacheDataDontLoad` follows a stored redirect, and fails if its target is not stored")
    func redirects() async throws {
        let fixture = CacheFixture { request, number in
            request.url.path == "/a"
                ? (301, ["Location": "/y", "Cache-Control": "max-age=10"], "")
                : (200, ["Cache-Control": "max-age=10"], "\(number)")
        }
        let provider = MoyaProvider<Page>(transport: fixture.transport)
        _ = try await provider.response(Page())
        fixture.time.advance(by: .seconds(60))
        try await expectEqual(provider.response(page(.returnCacheDataDontLoad)).mapString(), "2")
        fixture.cache.remove(try #require(URL(string: "https://a.test/y")))
        await #expect(throws: MoyaError.self) { try await provider.response(page(.returnCacheDataDontLoad)) }
        expectEqual(fixture.arrivals, 2)
    }

    @Test(
        "a look-up that takes too long sends no request that must not be sent",
        arguments: [["Cache-Control": "only-if-cached"], nil] as [[String: String]?])
    func slowDisk(_ headers: [String: String]?) async throws {
        let directory = try TemporaryDirectory()
        let (disk, time) = (VirtualTime(), VirtualTime())
        let origin = ScriptedOrigin { _, _ in (200, ["Cache-Control": "max-age=10"], "") }
        let transport = origin.caching(in: try directory.slowCache(disk), scheduler: time)
        let provider = MoyaProvider<Page>(transport: transport)
        let policy: URLRequest.CachePolicy = headers == nil ? .returnCacheDataDontLoad : .useProtocolCachePolicy
        let statusCode = Promise<Int?>()
        provider.request(page(policy, headers: headers)) { result in statusCode.fulfill((try? result.get())?.statusCode)
        }
        time.advance(by: .seconds(1))
        try await expectEqual(statusCode.value(), headers == nil ? nil : 504)
        #expect(origin.requests.isEmpty)
    }
}

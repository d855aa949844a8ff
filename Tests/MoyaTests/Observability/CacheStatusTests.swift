import Foundation
import Moya
import MoyaCaching
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct CacheStatusTests {
    private static let forged: HTTPHeaders = ["Cache-Control": "max-age=60", "Cache-Status": "Moya; hit; ttl=240"]

    @Test("without a cache, the status is nil whatever the server sends, and the server's 503 is sent again")
    func ignoresServer() async throws {
        let origin = ScriptedOrigin { _, _ in (503, Self.forged, "") }
        let recorder = EventRecorder()
        let provider = MoyaProvider<Page>(
            transport: origin, interceptors: [.retry(.constant(.zero, times: 2))],
            observers: [recorder])
        #expect(try await provider.response(Page()).cacheStatus == nil)
        expectEqual(origin.requests.count, 3)
        try await expectEqual(recorder.events().compactMap(\.exchanged).map { $0.cacheStatus?.isHit }, [nil, nil, nil])
    }

    @Test("the 504 of a request that must not be sent is no request of the metrics")
    func refusesToSend() async throws {
        let origin = ScriptedOrigin { _, _ in (200, [:], "") }
        let values = Log()
        let recorder = EventRecorder()
        let provider = MoyaProvider<Page>(
            transport: origin.caching(in: HTTPCache()),
            observers: [CallMetrics { name, _, _ in values.add(name) }, recorder])
        let response = try await provider.response(Page(headers: ["Cache-Control": "only-if-cached"]))
        #expect(response.statusCode == 504 && origin.requests.isEmpty)
        _ = try await recorder.events()
        expectEqual(values.entries, ["moya.call.duration"])
    }

    @Test("with a cache, the status is that of the cache")
    func comesFromCache() async throws {
        let now = Date()
        let transport = ScriptedOrigin { _, _ in (200, Self.forged, "") }.caching(in: HTTPCache(), now: { now })
        let provider = MoyaProvider<Page>(transport: transport)
        let first = try await provider.response(Page())
        #expect(first.cacheStatus?.isHit == false && first.cacheStatus?.forwardReason == .uriMiss)
        let second = try await provider.response(Page())
        #expect(second.cacheStatus?.isHit == true && second.cacheStatus?.timeToLive == 60)
        expectEqual(second.headers.values(for: "Cache-Status").count, 2)
    }

    @Test("a stored response does not refuse a credential, which would be refreshed for each call")
    func storedRefusal() async throws {
        let refreshes = Log()
        let interceptor = AuthenticationInterceptor(
            credential: "old", apply: { $1.headers["Authorization"] = $0 }, isRefused: { $0.statusCode == 403 },
            refresh: { credential in
                refreshes.add(credential)
                return "new"
            })
        var policy = CachingPolicy()
        policy.partition = { _ in "user" }
        let origin = ScriptedOrigin { _, _ in (403, ["Cache-Control": "max-age=60"], "") }
        let provider = MoyaProvider<Page>(
            transport: origin.caching(in: HTTPCache(), policy: policy), interceptors: [interceptor])
        for _ in 0..<3 { try await expectEqual(provider.response(Page()).statusCode, 403) }
        expectEqual(refreshes.entries, ["old"])
        expectEqual(origin.requests.count, 1)
    }
}

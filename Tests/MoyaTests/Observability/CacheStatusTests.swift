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

    @Test("a stored response that replaces a failure or a 304 is recorded as what the server has sent")
    func recordsOutages() async throws {
        let origin = ScriptedOrigin { _, number in
            switch number {
            case 1: (200, ["Cache-Control": "max-age=0", "ETag": "\"1\""], "")
            case 2: (304, ["ETag": "\"1\""], "")
            case 3: (503, [:], "")
            default: nil
            }
        }
        var policy = CachingPolicy()
        policy.staleIfError = .seconds(60)
        let values = Log()
        let recorder = EventRecorder()
        let metrics = CallMetrics { name, _, dimensions in
            let texts = dimensions.dropFirst(3).map { "\($0.name)=\($0.value)" }
            if name == "http.client.request.duration" { values.add(texts.joined(separator: " ")) }
        }
        let provider = MoyaProvider<Page>(
            transport: origin.caching(in: HTTPCache(), policy: policy), observers: [metrics, recorder])
        for _ in 0..<4 { try await expectEqual(provider.response(Page()).statusCode, 200) }
        let missing = Page(path: "/missing", options: RequestOptions(cachePolicy: .returnCacheDataDontLoad))
        await #expect(throws: MoyaError.self) { try await provider.response(missing) }
        _ = try await recorder.events(afterEnds: 5)
        expectEqual(
            values.entries,
            [
                "http.response.status_code=200", "http.response.status_code=304",
                "http.response.status_code=503 error.type=503", "error.type=other",
            ])
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

    @Test("a transport over the cache that adds a field to responses leaves the status as it is")
    func outerTransport() async throws {
        let origin = ScriptedOrigin { _, _ in (503, ["Cache-Control": "max-age=60"], "") }
        let provider = MoyaProvider<Page>(
            transport: Stamping(base: origin.caching(in: HTTPCache())),
            interceptors: [.retry(.constant(.zero, times: 2))])
        for _ in 0..<2 { _ = try await provider.response(Page()) }
        let response = try await provider.response(Page())
        #expect(response.cacheStatus?.isHit == true && response.headers["X-Stamp"] == "1")
        expectEqual(origin.requests.count, 1)
    }

    @Test("streams, and errors of their responses, have the status of the cache")
    func streams() async throws {
        let origin = ScriptedOrigin { _, _ in (404, ["Cache-Control": "max-age=60"], "{}") }
        let provider = MoyaProvider<Page>(transport: origin.caching(in: HTTPCache()))
        _ = try await provider.response(Page())
        try await expectEqual(provider.streamedResponse(Page()).cacheStatus?.isHit, true)
        let error = await #expect(throws: MoyaError.self) {
            for try await _ in provider.jsonLines(Page(), as: Int.self) {}
        }
        expectEqual(error?.response?.cacheStatus?.isHit, true)
    }
}

/// A transport of a user, which adds a field to responses.
private struct Stamping<Base: Transport>: Transport {
    let base: Base

    var capabilities: TransportCapabilities { base.capabilities }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        base.start(request) { events in
            var events = events
            events.head?.headers["X-Stamp"] = "1"
            receive(events)
        }
    }
}

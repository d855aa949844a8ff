import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya
@testable import MoyaCaching

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct TracePropagationTests {
    private let time = VirtualTime()
    private let incoming = TraceContext(traceparent: TraceContextTests.valid, tracestate: "rojo=1")

    private func provider(
        _ origin: any Transport, hosts: Set<String> = ["a.test"], interceptors: [any RequestInterceptor] = [],
        observers: [any CallObserver] = []
    ) -> MoyaProvider<Page> {
        MoyaProvider<Page>(
            transport: origin.propagatingTraces(to: hosts), interceptors: interceptors, observers: observers)
    }

    private func contexts(_ origin: ScriptedOrigin) -> [TraceContext?] {
        origin.requests.map { request in
            request.headers["traceparent"].flatMap {
                TraceContext(traceparent: $0, tracestate: request.headers["tracestate"])
            }
        }
    }

    @Test("6, 7: the context of the caller is sent with each request of a call, each with its own parent ID")
    func hops() async throws {
        let origin = ScriptedOrigin.redirecting()
        let provider = provider(origin)
        _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(Page(path: "/2")) }
        let contexts = contexts(origin).compactMap(\.self)
        expectEqual(contexts.count, 3)
        #expect(contexts.allSatisfy { $0.traceID == incoming?.traceID })
        expectEqual(Set(contexts.map(\.parentID) + [incoming?.parentID ?? ""]).count, 4)
        #expect(contexts.allSatisfy { $0.isSampled && $0.tracestate == "rojo=1" })
    }

    @Test("6: repetitions after a delay have the context of the caller, whatever thread they are sent on")
    func retries() async throws {
        let origin = ScriptedOrigin.redirecting()
        let recorder = EventRecorder()
        let provider = provider(
            origin, interceptors: [.retry(.constant(.milliseconds(1), times: 2))], observers: [recorder])
        _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(Page(path: "/503")) }
        expectEqual(contexts(origin).map { $0?.traceID }, Array(repeating: incoming?.traceID, count: 3))
        expectEqual(Set(contexts(origin).map { $0?.parentID }).count, 3)
        let events = try await recorder.events()
        #expect(events.allSatisfy { $0.context as? TraceContext == incoming })
    }

    @Test("6: a call on another thread has the context of that thread")
    func threads() async throws {
        let origin = ScriptedOrigin.redirecting()
        let provider = provider(origin)
        let done = Promise<Void>()
        let incoming = incoming
        Thread.detachNewThread {
            TraceContext.$current.withValue(incoming) {
                _ = provider.request(Page()) { _ in done.fulfill(()) }
            }
        }
        try await done.value()
        expectEqual(contexts(origin).map { $0?.traceID }, [incoming?.traceID])
    }

    @Test("6: a shared request has the context of the call that made it; the other call is linked to that")
    func sharedRequest() async throws {
        let origin = ScriptedOrigin.redirecting()
        let slow = origin.propagatingTraces(to: ["a.test"]).throttled(
            to: NetworkConditions(roundTrip: .seconds(1)), on: time)
        let recorder = EventRecorder()
        let provider = MoyaProvider<Page>(
            callbackQueue: time, transport: slow, trackInflights: true, scheduler: time, observers: [recorder])
        let other = TraceContext.root(isSampled: false)
        let ended = Box(0)
        for context in [incoming, other] {
            within(context) { _ = provider.request(Page()) { _ in ended.change { $0 += 1 } } }
        }
        try await until { [time] in
            time.advance(by: .milliseconds(100))
            return ended.value == 2
        }
        time.run()
        expectEqual(contexts(origin).map { $0?.traceID }, [incoming?.traceID])
        let joined = try #require(recorder.events.first { $0.name.hasPrefix("joined") })
        expectEqual(joined.name, "joined \(recorder.events.first?.call ?? 0)")
        expectEqual(joined.context as? TraceContext, other)
    }

    @Test("8: no other host receives the trace after a redirect, unless it is named")
    func otherHosts() async throws {
        for hosts: Set<String> in [["a.test"], ["A.test", "b.test"]] {
            let origin = ScriptedOrigin.redirecting(to: "https://b.test")
            let provider = provider(origin, hosts: hosts)
            _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(Page(path: "/1")) }
            expectEqual(origin.requests.map { $0.url.host() }, ["a.test", "b.test"])
            expectEqual(contexts(origin).map { $0 != nil }, [true, hosts.count == 2])
            expectEqual(origin.values("tracestate").map { $0 != nil }, [true, hosts.count == 2])
        }
    }

    @Test("8, 9: a target's own traceparent is sent to its origin only, and is not replaced there")
    func ownField() async throws {
        let origin = ScriptedOrigin.redirecting(to: "https://b.test")
        let provider = provider(origin, hosts: ["a.test"])
        let own = TraceContext.root(isSampled: true).traceparent
        let page = Page(path: "/1", headers: ["traceparent": own])
        _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(page) }
        expectEqual(origin.values("traceparent"), [own, nil])
        expectEqual(origin.values("tracestate"), [nil, nil])
    }

    @Test("9: without a context, nothing is added; a provider may begin traces itself")
    func noContext() async throws {
        let origin = ScriptedOrigin.redirecting()
        _ = try await provider(origin).response(Page())
        expectEqual(origin.values("traceparent"), [nil])
        var configuration = ProviderConfiguration(transport: origin.propagatingTraces(to: ["a.test"]))
        configuration.callContext = { _ in TraceContext.current ?? .root(isSampled: true) }
        _ = try await MoyaProvider<Page>(configuration: configuration).response(Page(path: "/1"))
        expectEqual(Set(contexts(origin).dropFirst().map { $0?.traceID }).count, 1)
        #expect(contexts(origin).last??.isSampled == true)
    }

    @Test("the context of a call is any value that the configuration captures, with its target")
    func customContext() async throws {
        struct Span: Equatable { let target: String }
        let origin = ScriptedOrigin.redirecting()
        let recorder = EventRecorder()
        var configuration = ProviderConfiguration(transport: origin, observers: [recorder])
        configuration.callContext = { Span(target: TargetLabel($0).name) }
        _ = try await MoyaProvider<Page>(configuration: configuration).response(Page(path: "/1"))
        expectEqual(origin.requests.map { $0.callContext as? Span }, [Span(target: "Page"), Span(target: "Page")])
        let events = try await recorder.events()
        #expect(events.allSatisfy { $0.context as? Span == Span(target: "Page") })
    }

    @Test("interceptors and plugins can read the context, too")
    func contextOfPreparedRequest() async throws {
        struct Reader: RequestPlugin {
            let found: Box<[String?]>

            func prepare(_ request: inout TransportRequest, target: any RelativeTarget) {
                found.change { $0.append(request.callContext as? String) }
            }
        }
        let reader = Reader(found: Box([]))
        let interceptor = AsyncInterceptor(adapt: { request, target in
            var request = request
            reader.prepare(&request, target: target)
            return request
        })
        var configuration = ProviderConfiguration(
            transport: ScriptedOrigin { _, _ in (200, [:], "") }, plugins: [reader], interceptors: [interceptor])
        configuration.callContext = { _ in "ash" }
        _ = try await MoyaProvider<Page>(configuration: configuration).response(Page(path: "/1"))
        expectEqual(reader.found.value, ["ash", "ash"])
    }

    @Test("a transport that replaces parts of a request keeps its context")
    func replacing() async throws {
        let origin = ScriptedOrigin.redirecting()
        let provider = MoyaProvider<Page>(
            transport: Stamping(transport: origin.propagatingTraces(to: ["a.test"])))
        _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(Page()) }
        expectEqual(origin.values("X-Stamp"), ["1"])
        expectEqual(contexts(origin).map { $0?.traceID }, [incoming?.traceID])
    }

    /// Calls a function that is not asynchronous, with a context.
    private func within(_ context: TraceContext?, _ body: () -> Void) {
        TraceContext.$current.withValue(context, operation: body)
    }

    // MARK: Caches

    @Test("16: a response of the cache sends nothing, so there is no new parent; the event has the status of the cache")
    func cacheHit() async throws {
        let origin = ScriptedOrigin { _, _ in (200, ["Cache-Control": "max-age=60"], "content") }
        let recorder = EventRecorder()
        let values = Log()
        let metrics = CallMetrics { name, _, _ in values.add(name) }
        let provider = MoyaProvider<Page>(
            transport: origin.propagatingTraces(to: ["a.test"]).caching(in: HTTPCache()),
            observers: [metrics, recorder])
        for _ in 0..<2 {
            _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(Page()) }
        }
        expectEqual(origin.requests.count, 1)
        let events = try await recorder.events(afterEnds: 2)
        expectEqual(events.compactMap(\.exchanged).map { $0.cacheStatus?.isHit }, [false, true])
        expectEqual(values.entries.count { $0 == "http.client.request.duration" }, 1)
        expectEqual(values.entries.count { $0 == "moya.call.duration" }, 2)
    }

    @Test("17: a revalidation in the background has the trace of the call that caused it, and a parent of its own")
    func revalidation() async throws {
        let now = Box(Date(timeIntervalSince1970: 1_780_000_000))
        let origin = ScriptedOrigin { _, _ in
            (200, ["Cache-Control": "max-age=1, stale-while-revalidate=60", "ETag": "\"1\""], "content")
        }
        let provider = MoyaProvider<Page>(
            transport: origin.propagatingTraces(to: ["a.test"]).caching(
                in: HTTPCache(), scheduler: time, now: { now.value }))
        _ = try await TraceContext.$current.withValue(.root(isSampled: false)) { try await provider.response(Page()) }
        now.change { $0 += 10 }
        _ = try await TraceContext.$current.withValue(incoming) { try await provider.response(Page()) }
        expectEqual(contexts(origin).count, 2)
        expectEqual(contexts(origin).last??.traceID, incoming?.traceID)
        #expect(contexts(origin).last??.parentID != incoming?.parentID)
    }
}

/// Adds a field as transports in other packages do.
private struct Stamping: Transport {
    let transport: any Transport
    var capabilities: TransportCapabilities { transport.capabilities }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        var request = request
        request.headers["X-Stamp"] = "1"
        return transport.start(request, receive: receive)
    }
}

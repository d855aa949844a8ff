import InMemoryTracing
import Moya
import MoyaCaching
import MoyaObservability
import Testing
import Tracing

@Suite(.timeLimit(.minutes(10))) struct TracingTransportTests {
    private let tracer = InMemoryTracer()
    private let origin = Origin()

    private func provider(cache: HTTPCache? = nil) -> MoyaProvider<ShowUser> {
        let transport = TracingTransport(above: origin, tracer: tracer, hosts: ["a.test"])
        var configuration = ProviderConfiguration(transport: cache.map { transport.caching(in: $0) } ?? transport)
        configuration.captureSpans()
        return MoyaProvider<ShowUser>(configuration: configuration)
    }

    @Test("each request of a call is a client span below the span of the caller")
    func redirects() async throws {
        let parent = tracer.startSpan("parent", context: .topLevel)
        _ = try await ServiceContext.$current.withValue(parent.context) {
            try await provider().response(ShowUser(id: 2))
        }
        let spans = tracer.finishedSpans
        #expect(spans.map(\.operationName) == ["GET /users/{id}", "GET /users/{id}"])
        #expect(spans.allSatisfy { $0.traceID == parent.traceID && $0.parentSpanID == parent.spanID })
        #expect(spans.map(\.kind) == [.client, .client])
        #expect(spans.map { $0.attributes.get("http.request.resend_count") } == [nil, .int64(1)])
        #expect(spans.map { $0.attributes.get("http.response.status_code") } == [.int64(302), .int64(200)])
        #expect(origin.requests.map { $0.headers[InMemoryTracer.spanIDKey] } == spans.map(\.spanID))
        parent.end()
    }

    @Test("another host receives no context, and a span no value of the query")
    func otherHosts() async throws {
        _ = try await provider().response(ShowUser(id: 1))
        #expect(origin.requests.map { $0.headers[InMemoryTracer.spanIDKey] != nil } == [true, false])
        #expect(tracer.finishedSpans.last?.attributes.get("url.full") == .string("https://b.test/users/9?key=***"))
        #expect(tracer.finishedSpans.last?.attributes.get("server.port") == .int64(443))
    }

    @Test("failures have an error type")
    func failures() async throws {
        _ = try await provider().response(ShowUser(id: 503))
        _ = try? await provider().response(ShowUser(id: 504))
        #expect(
            tracer.finishedSpans.map { $0.attributes.get("error.type") }
                == [.string("503"), .string("connectionLost")])
        #expect(tracer.finishedSpans.map { $0.status?.code } == [.error, .error])
        #expect(tracer.activeSpans.isEmpty)
    }

    @Test("a response of a cache has no span")
    func cache() async throws {
        let provider = provider(cache: HTTPCache())
        for _ in 0..<3 { _ = try await provider.response(ShowUser(id: 7)) }
        #expect(tracer.finishedSpans.count == 1)
    }
}

import CoreMetrics
import Logging
import MetricsTestKit
import Moya
import MoyaObservability
import Synchronization
import Testing

/// Collects messages.
private struct Collector: LogHandler {
    final class Lines: Sendable {
        let values = Mutex<[String]>([])
    }

    let lines: Lines
    var metadata: Logger.Metadata = [:]
    var logLevel = Logger.Level.trace

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let trace = event.metadata?["trace_id"].map { " \($0)" } ?? ""
        lines.values.withLock {
            $0.append("\(event.level) \(event.metadata?["target"] ?? "") \(event.message)\(trace)")
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct ObserverTests {
    @Test("events are logged with the level of their outcome, the target and the trace")
    func logs() async throws {
        let lines = Collector.Lines()
        var logger = Logger(label: "test") { _ in Collector(lines: lines) }
        logger.logLevel = .debug
        let ends = Ends()
        let provider = MoyaProvider<ShowUser>(transport: Origin(), observers: [LogObserver(logger), ends])
        let trace = TraceContext.root(isSampled: true)
        _ = try await TraceContext.$current.withValue(trace) { try await provider.response(ShowUser(id: 7)) }
        _ = try await provider.response(ShowUser(id: 503))
        await ends.wait(for: 2)
        let logged = lines.values.withLock { $0 }
        #expect(logged.first == "debug ShowUser started \(trace.traceID)")
        #expect(logged.contains("debug ShowUser sending GET https://a.test/users/7 \(trace.traceID)"))
        #expect(logged.contains { $0.hasPrefix("info ShowUser ended with 200 in ") })
        #expect(logged.contains { $0.hasPrefix("warning ShowUser ended with 503 in ") })
    }

    @Test("durations become timers with dimensions")
    func metrics() async throws {
        let factory = TestMetrics()
        let ends = Ends()
        let provider = MoyaProvider<ShowUser>(
            transport: Origin(), observers: [CallMetrics.metrics(factory: factory), ends])
        _ = try await provider.response(ShowUser(id: 7))
        await ends.wait(for: 1)
        let timer = try factory.expectTimer(
            "http.client.request.duration",
            [
                ("http.request.method", "GET"), ("server.address", "a.test"), ("server.port", "443"),
                ("http.response.status_code", "200"), ("url.template", "/users/{id}"),
            ])
        #expect(timer.values.count == 1)
        #expect(try factory.expectTimer("moya.call.duration", [("moya.target", "ShowUser")]).values.count == 1)
    }
}

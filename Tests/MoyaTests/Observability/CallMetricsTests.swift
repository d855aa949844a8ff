import Foundation
import MoyaTesting
import TestSupport
import Testing

@testable import Moya

@Suite(.queued, .timeLimit(.minutes(10))) struct CallMetricsTests {
    private func recorded(_ path: String, method: HTTPMethod = .get) async throws -> [String] {
        let log = Log()
        let recorder = EventRecorder()
        let metrics = CallMetrics { name, value, dimensions in
            #expect(value >= 0)
            log.add("\(name) \(dimensions.map { "\($0.name)=\($0.value)" }.joined(separator: " "))")
        }
        let provider = MoyaProvider<Page>(
            transport: ScriptedOrigin.redirecting(), observers: [metrics, recorder])
        _ = try? await provider.response(Page(path: path, method: method))
        _ = try await recorder.events()
        return log.entries
    }

    @Test("each exchange and each call are recorded, without values of high cardinality")
    func records() async throws {
        try await expectEqual(
            recorded("/1"),
            [
                "http.client.request.duration http.request.method=GET server.address=a.test server.port=443 "
                    + "http.response.status_code=302",
                "http.client.request.duration http.request.method=GET server.address=a.test server.port=443 "
                    + "http.response.status_code=200",
                "moya.call.duration moya.target=Page",
            ])
        try await expectEqual(
            recorded("/503"),
            [
                "http.client.request.duration http.request.method=GET server.address=a.test server.port=443 "
                    + "http.response.status_code=503 error.type=503",
                "moya.call.duration moya.target=Page error.type=503",
            ])
        try await expectEqual(
            recorded("/lost", method: "PURGE").first,
            "http.client.request.duration http.request.method=_OTHER server.address=a.test server.port=443 "
                + "error.type=connectionLost")
    }

    @Test(
        "sizes and the time in the queue are recorded if the transport measures them", arguments: TransportKind.allCases
    )
    func sizes(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .text("five!") }
        defer { server.stop() }
        let values = Box<[String: Double]>([:])
        let recorder = EventRecorder()
        let metrics = CallMetrics { name, value, _ in values.change { $0[name] = value } }
        let transport = try kind.make()
        let provider = MoyaProvider<Local>(transport: transport, observers: [metrics, recorder])
        _ = try await provider.response(Local(server, "/x"))
        let exchange = try #require(try await recorder.events().compactMap(\.exchanged).first)
        expectEqual(values.value["http.client.request.size"], exchange.metrics.bytesSent.map { Double($0) })
        expectEqual(values.value["http.client.response.size"], exchange.metrics.bytesReceived.map { Double($0) })
        expectEqual(values.value["http.client.request.queue_time"] != nil, exchange.metrics.queued != nil)
    }
}

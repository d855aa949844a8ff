import Foundation
import Moya
import TestSupport
import Testing

/// Requests whose closures run on the main actor.
@Suite(.queued, .timeLimit(.minutes(10))) struct MainActorRequestTests {
    private struct Thing: TargetType {
        let baseURL = URL(string: "https://a.example/") ?? URL(filePath: "/")
        let path = "/"
    }

    /// Responds on another thread, and counts the responses it has delivered.
    private struct Answering: Transport {
        let delivered: Box<Int>
        var capabilities: TransportCapabilities { [] }

        func start(
            _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
        ) -> any TransportExchange {
            Thread.detachNewThread {
                receive(
                    TransportEvents(
                        head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: ["Content-Length": "1"]),
                        chunks: [Data("a".utf8)], outcome: TransportOutcome(error: nil)))
                delivered.change { $0 += 1 }
            }
            return FinishedExchange()
        }
    }

    @Test("progress and result arrive on the main actor")
    @MainActor func delivers() async throws {
        let provider = MoyaProvider<Thing>(transport: Answering(delivered: Box(0)))
        let log = Log()
        let outcome = Promise<Int?>()
        let token = provider.request(
            Thing(), progress: { log.add("\($0.completedUnitCount)") },
            onMain: { result in
                log.add("ended")
                outcome.fulfill((try? result.get())?.statusCode)
            })
        expectEqual(log.entries, [], "the main actor is busy")
        try await expectEqual(outcome.value(), 200)
        expectEqual(log.entries, ["1", "ended"])
        #expect(!token.isCancelled)
        token.cancel()
        #expect(!token.isCancelled, "a request that has ended is not cancelled")
    }

    @Test("after a cancel on the main actor, a response that waits in the main queue is not delivered")
    @MainActor func cancels() async throws {
        let delivered = Box(0)
        let provider = MoyaProvider<Thing>(transport: Answering(delivered: delivered))
        let log = Log()
        let outcome = Promise<MoyaError.Kind?>()
        let token = provider.request(
            Thing(), progress: { log.add("\($0.completedUnitCount)") },
            onMain: { result in
                if case .failure(let error) = result { outcome.fulfill(error.kind) } else { outcome.fulfill(nil) }
            })
        // The main actor is busy until the response waits for it.
        block { delivered.value > 0 }
        expectEqual(delivered.value, 1)
        token.cancel()
        try await expectEqual(outcome.value(), .cancelled)
        #expect(token.isCancelled && log.entries.isEmpty)
    }
}

import Foundation
import Moya
import MoyaScheduling
import TestSupport
import Testing

@testable import MoyaTesting

/// Records each exchange of another transport, with its events.
private struct TracingTransport: Transport {
    /// One exchange.
    final class Traced: Sendable {
        let request: TransportRequest
        let events = Box(TransportTrace.Events())

        init(_ request: TransportRequest) {
            self.request = request
        }
    }

    let transport: any Transport
    let exchanges = Box<[Traced]>([])

    var capabilities: TransportCapabilities { transport.capabilities }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let traced = Traced(request)
        exchanges.change { $0.append(traced) }
        return transport.start(request) { batch in
            traced.events.change { $0.add(batch) }
            receive(batch)
        }
    }
}

/// What a receiver can observe of an exchange, apart from times.
private struct Observed: Equatable {
    let head: ResponseHead?
    let heads: Int
    /// The chunks; of a response that is delivered as a whole, its content.
    let chunks: [Data]
    let outcomes: Int
    let code: URLError.Code?
    let trailers: HTTPHeaders?

    init(_ events: TransportTrace.Events, _ delivery: TransportRequest.Delivery) {
        head = events.head
        heads = events.heads
        chunks = delivery == .whole ? [events.content] : events.chunks.filter { !$0.isEmpty }
        outcomes = events.outcomes.count
        code = events.error?.code
        trailers = events.outcomes.first?.trailers
    }
}

@Suite(.queued, .timeLimit(.minutes(10))) struct ReplayContractTests {
    private static func transport() throws -> any Transport {
        #if os(Linux)
            try CurlTransport()
        #else
            URLSessionTransport()
        #endif
    }

    @Test("21: the trace of a replay is that of the recorded exchange", arguments: TransportContract.claims)
    func replaysEqually(_ claim: ContractClaim<any Transport>) async throws {
        // Compressed content is not redacted, and must not be recorded otherwise.
        // In a debug build, redacting megabytes of binary content takes three seconds.
        let unredacted = ["content is decoded only if", "content is sent byte for byte", "a window limits"]
        let isUnredacted = unredacted.contains { claim.description.hasPrefix($0) }
        let recorder = HARRecorder(redaction: isUnredacted ? .nothing : .secretNames, largestBody: .max)
        let tracing = TracingTransport(transport: try Self.transport().recording(recorder))
        try await claim.check(tracing)
        let folder = try TemporaryFolder()
        try recorder.archive().write(to: folder.file("a.har"))
        let replay = ReplayTransport(try HAR(contentsOf: folder.file("a.har")))
        for traced in tracing.exchanges.value {
            let expected = traced.events.value
            let trace = TransportTrace(traced.request, on: replay)
            var acknowledged = 0
            while trace.received < expected.received {
                let before = acknowledged
                try await until("more content has arrived") { trace.received > before || trace.isOver }
                guard trace.received > acknowledged else { break }
                let received = trace.received
                trace.acknowledge(received - acknowledged)
                acknowledged = received
            }
            if expected.error?.code == .cancelled {
                try await until("the head has arrived") { trace.hasHead == (expected.head != nil) }
                trace.cancel()
            }
            let actual = try await trace.finished()
            let delivery = traced.request.delivery
            expectEqual(
                Observed(actual, delivery), Observed(expected, delivery),
                "\(traced.request.method) \(traced.request.url)")
        }
        try replay.finish()
    }

    @Test("21: a decorator keeps the contract of the transport that it records", arguments: TransportContract.claims)
    func keepsTheContract(_ claim: ContractClaim<any Transport>) async throws {
        let recorder = HARRecorder(redaction: .nothing)
        try await claim.check(try Self.transport().recording(recorder))
    }
}

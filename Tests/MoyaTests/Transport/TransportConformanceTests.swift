import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The contract that all transports must meet.
@Suite(.queued, .timeLimit(.minutes(10))) struct TransportConformanceTests {
    @Test("T12: the transports meet the contract", arguments: TransportKind.allCases, TransportContract.claims)
    func keepsTheContract(_ kind: TransportKind, _ claim: ContractClaim<any Transport>) async throws {
        try await claim.check(kind.make())
    }

    @Test("T12: `FollowUpTransport` above a transport meets the contract", arguments: TransportContract.claims)
    func followUpsMeetTheContract(_ claim: ContractClaim<any Transport>) async throws {
        let kind = try #require(TransportKind.allCases.first)
        // The contract requires that redirects and challenges are delivered as responses.
        try await claim.check(FollowUpTransport(above: kind.make(), redirects: .never, cookies: CookieJar()))
    }

    @Test("T12: `StubTransport` meets the contract with samples from a server", arguments: TransportContract.claims)
    func stubsMeetTheContract(_ claim: ContractClaim<any Transport>) async throws {
        try await claim.check(SampledTransport(origin: try #require(TransportKind.allCases.first).make()))
    }
}

/// A `StubTransport` whose samples are the responses of another transport.
private struct SampledTransport: Transport {
    let origin: any Transport
    let capabilities: TransportCapabilities = []

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let sampling = Sampling(request, on: origin)
        let stub = StubTransport(after: .zero, on: ThreadScheduler()) { _ in sampling.sample() }
        return Exchange(stub: stub.start(request, receive: receive), sampling: sampling)
    }

    private struct Exchange: TransportExchange {
        let stub: any TransportExchange
        let sampling: Sampling

        var isCancelled: Bool { stub.isCancelled }
        func acknowledge(_ bytes: Int) { stub.acknowledge(bytes) }
        func cancel() {
            stub.cancel()
            sampling.cancel()
        }
    }
}

/// Runs each work on a thread of its own, because samples block their thread.
private struct ThreadScheduler: Scheduler {
    var now: Duration { (DispatchScheduler.background as any Scheduler).now }

    func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        (DispatchScheduler.background as any Scheduler).schedule(after: delay) { Thread.detachNewThread(work) }
    }
}

/// Sends a request and creates a sample from its response.
private final class Sampling: Sendable {
    private let request: TransportRequest
    private let transport: any Transport
    private let events = Box(Exchanged())
    private let changed = DispatchSemaphore(value: 0)
    private let isCancelled = Box(false)

    init(_ request: TransportRequest, on transport: any Transport) {
        self.request = request
        self.transport = transport
    }

    func cancel() {
        isCancelled.value = true
        changed.signal()
    }

    /// Returns the response as a sample, or a part of it whose next chunk follows after an hour.
    ///
    /// Waits for the outcome or a cancel. With a head, waits for at most two seconds for the next event.
    func sample() -> EndpointSampleResponse {
        let exchange = transport.start(request) { [events, changed] batch in
            events.change { events in
                events.head = batch.head ?? events.head
                events.chunks += batch.chunks
                batch.outcome.map { events.outcomes.append($0) }
            }
            changed.signal()
        }
        while events.value.outcomes.isEmpty, !isCancelled.value {
            let isQuiet = changed.wait(timeout: .now() + 2) == .timedOut
            if isQuiet, events.value.head != nil { break }
        }
        exchange.cancel()
        let events = events.value
        guard let head = events.head, events.error == nil || events.error?.code == .cancelled else {
            return .networkError(events.error ?? URLError(.cancelled))
        }
        guard !events.outcomes.isEmpty, events.error == nil else {
            return .chunks(head.statusCode, events.chunks + [Data()], every: .seconds(3600))
        }
        if request.delivery != .whole, events.chunks.count > 1 {
            return .chunks(head.statusCode, events.chunks, every: .milliseconds(1))
        }
        let response = HTTPURLResponse(
            url: request.url, statusCode: head.statusCode, httpVersion: head.version,
            headerFields: head.headers.dictionary)
        return response.map { .response($0, events.content) } ?? .networkResponse(head.statusCode, events.content)
    }
}

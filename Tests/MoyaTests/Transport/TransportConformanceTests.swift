import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The contract that all transports must meet.
@Suite struct TransportConformanceTests {
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
        let origin = try #require(TransportKind.allCases.first).make()
        try await claim.check(
            StubTransport(after: .zero, on: .queue(.global())) { request in
                Sampling(request, on: origin).sample()
            })
    }
}

/// Sends a request and creates a sample from its response.
private final class Sampling: Sendable {
    private let request: TransportRequest
    private let events = Box(Exchanged())
    private let changed = DispatchSemaphore(value: 0)
    private let exchange: any TransportExchange

    init(_ request: TransportRequest, on transport: any Transport) {
        self.request = request
        exchange = transport.start(request) { [events, changed] batch in
            events.change { events in
                events.head = batch.head ?? events.head
                events.chunks += batch.chunks
                batch.outcome.map { events.outcomes.append($0) }
            }
            changed.signal()
        }
    }

    /// Waits for the outcome; if the server stays silent, the sample is an error or has a last chunk after an hour.
    func sample() -> EndpointSampleResponse {
        while events.value.outcomes.isEmpty, changed.wait(timeout: .now() + 3) == .success {}
        exchange.cancel()
        let events = events.value
        guard let head = events.head, events.error == nil else {
            return .networkError(events.error ?? URLError(.timedOut))
        }
        guard !events.outcomes.isEmpty else {
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

/// Waits for a condition with a time limit.
func until(_ condition: @escaping @Sendable () -> Bool) async throws {
    let held = Promise<Void>()
    @Sendable func look() {
        if condition() { return held.fulfil(()) }
        DispatchScheduler.background.schedule(after: .milliseconds(1)) { look() }
    }
    look()
    try await held.value()
}

import Foundation
import Moya
import MoyaTesting
import Testing

/// A transport that violates the contract: it reports each outcome twice.
private struct Broken: Transport {
    struct Exchange: TransportExchange {
        let isCancelled = false
        func cancel() {}
        func acknowledge(_ bytes: Int) {}
    }

    let capabilities: TransportCapabilities = []

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let events = TransportEvents(
            head: ResponseHead(statusCode: 200, version: "HTTP/1.1", headers: [:]),
            outcome: TransportOutcome(error: nil))
        receive(events)
        receive(events)
        return Exchange()
    }
}

@Suite(.timeLimit(.minutes(10))) struct TransportContractTests {
    @Test(
        "T13: a check reports the requirement that a transport violates",
        arguments: TransportContract.claims.filter { !$0.description.contains("a transport with") })
    func tellsWhatIsBroken(_ claim: ContractClaim<any Transport>) async throws {
        let error = await #expect(throws: ContractViolation.self) { try await claim.check(Broken()) }
        #expect(error?.description.hasPrefix(claim.description) == true)
    }
}

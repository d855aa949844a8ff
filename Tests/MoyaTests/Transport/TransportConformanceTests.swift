import Moya
import MoyaTesting
import TestSupport
import Testing

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

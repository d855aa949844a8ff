import Moya
import MoyaTesting
import TestSupport
import Testing

/// The contract that all transports meet.
@Suite struct EngineTests {
    @Test("T12: the transports meet the contract", arguments: Engine.allCases, TransportContract.claims)
    func keepsTheContract(_ engine: Engine, _ claim: ContractClaim<any Transport>) async throws {
        try await claim.check(engine.make())
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

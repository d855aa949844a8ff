import Foundation
import Moya
import MoyaTesting
import TestSupport
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

/// A transport that reports another outcome later than that of a cancel, and ends the connection only then.
private struct Late: Transport {
    struct Exchange: TransportExchange {
        let inner: any TransportExchange
        let isOver: Box<Bool>
        let receive: @Sendable (TransportEvents) -> Void

        var isCancelled: Bool { isOver.value }
        func acknowledge(_ bytes: Int) { inner.acknowledge(bytes) }
        func cancel() {
            guard !isOver.value else { return }
            isOver.value = true
            let outcome = TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled)))
            receive(outcome)
            DispatchScheduler.background.schedule(after: .milliseconds(5)) {
                receive(outcome)
                inner.cancel()
            }
        }
    }

    let base: any Transport
    var capabilities: TransportCapabilities { base.capabilities }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let isOver = Box(false)
        let inner = base.start(request) { events in if !isOver.value { receive(events) } }
        return Exchange(inner: inner, isOver: isOver, receive: receive)
    }
}

@Suite(.timeLimit(.minutes(10))) struct TransportContractTests {
    @Test("T13: a second outcome after a cancel is reported")
    func tellsALateOutcome() async throws {
        let claim = try #require(TransportContract.claims.first { $0.description.contains("no event after it") })
        await #expect(throws: ContractViolation.self) { try await claim.check(Late(base: URLSessionTransport())) }
    }

    @Test(
        "T13: a check reports the requirement that a transport violates",
        arguments: TransportContract.claims.filter { !$0.description.contains("a transport with") })
    func tellsWhatIsBroken(_ claim: ContractClaim<any Transport>) async throws {
        let error = await #expect(throws: ContractViolation.self) { try await claim.check(Broken()) }
        #expect(error?.description.hasPrefix(claim.description) == true)
    }
}

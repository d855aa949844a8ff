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

/// A transport that reports a second outcome after a cancel, when the connection has ended.
private struct Late: Transport {
    final class Exchange: TransportExchange {
        let receive: @Sendable (TransportEvents) -> Void
        let inner = Box<(any TransportExchange)?>(nil)
        let cancelled = Box(false)

        init(_ receive: @escaping @Sendable (TransportEvents) -> Void) { self.receive = receive }

        var isCancelled: Bool { cancelled.value }
        func cancel() {
            let isFirst = !cancelled.value
            cancelled.value = true
            if isFirst { receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled)))) }
            inner.value?.cancel()
        }
        func acknowledge(_ bytes: Int) { inner.value?.acknowledge(bytes) }
    }

    let base: any Transport
    var capabilities: TransportCapabilities { base.capabilities }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = Exchange(receive)
        exchange.inner.value = base.start(request, receive: receive)
        return exchange
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

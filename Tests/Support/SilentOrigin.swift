import Foundation
package import Moya

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Never responds, until it is cancelled.
package final class SilentOrigin: Transport {
    package final class Exchange: TransportExchange {
        private let receive: @Sendable (TransportEvents) -> Void
        private let flag = OneShotFlag()

        init(_ receive: @escaping @Sendable (TransportEvents) -> Void) {
            self.receive = receive
        }

        package var isCancelled: Bool { flag.isSet }
        package func acknowledge(_ bytes: Int) {}

        package func cancel() {
            guard flag.setIfUnset() else { return }
            receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        }
    }

    package let exchanges = Box<[Exchange]>([])

    package init() {}

    package var capabilities: TransportCapabilities { [] }
    package var count: Int { exchanges.value.count }

    package func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        let exchange = Exchange(receive)
        exchanges.change { $0.append(exchange) }
        return exchange
    }
}

/// Counts the bytes that a receiver acknowledges before `Transport.start` returns the exchange to forward them to.
package struct AcknowledgementsBeforeStart: Sendable {
    private var bytes = 0

    package init() {}

    package mutating func add(_ acknowledged: Int) {
        let (sum, overflows) = bytes.addingReportingOverflow(max(acknowledged, 0))
        bytes = overflows ? .max : sum
    }

    package mutating func take() -> Int {
        exchange(&bytes, with: 0)
    }
}

extension TransportExchange {
    /// Forwards acknowledged bytes and a cancellation that arrived before `Transport.start` returned this exchange.
    package func catchUp(acknowledged: Int, isCancelled: Bool) {
        if acknowledged > 0 { acknowledge(acknowledged) }
        if isCancelled { cancel() }
    }
}

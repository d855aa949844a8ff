/// Counts the bytes that a receiver acknowledges before `Transport.start` returns.
///
/// Until then, there is no exchange to forward the acknowledgements to.
package struct AcknowledgementsBeforeStart: Sendable {
    private var bytes = 0

    package init() {}

    /// Adds acknowledged bytes; negative numbers are ignored, and the sum is limited to `Int.max`.
    package mutating func add(_ acknowledged: Int) {
        let (sum, overflows) = bytes.addingReportingOverflow(max(acknowledged, 0))
        bytes = overflows ? .max : sum
    }

    /// Returns the sum and resets it.
    package mutating func take() -> Int {
        defer { bytes = 0 }
        return bytes
    }
}

extension TransportExchange {
    /// Applies acknowledgements and a cancellation that were requested before `Transport.start` returned this exchange.
    package func catchUp(acknowledged: Int, isCancelled: Bool) {
        if acknowledged > 0 { consumed(acknowledged) }
        if isCancelled { cancel() }
    }
}

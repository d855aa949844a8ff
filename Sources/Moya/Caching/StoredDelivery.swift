import Foundation

/// Delivers a response that is in memory, within the window of its request.
final class StoredDelivery: TransportExchange {
    private struct State: Sendable {
        var offset = 0
        /// The number of delivered bytes that have not been consumed.
        var outstanding = 0
        var hasHead = false
        /// Whether a thread is delivering batches.
        var isDelivering = false
        var hasOutcome = false
        var isCancelled = false
    }

    private static let pieceLength = 64 << 10

    private let head: ResponseHead
    private let content: Data
    private let outcome: TransportOutcome
    /// The window in bytes; `nil`: the content is delivered at once.
    private let window: Int?
    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Locked(State())

    init(
        _ head: ResponseHead, _ content: Data, _ outcome: TransportOutcome, delivery: TransportRequest.Delivery,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.head = head
        self.content = content
        self.outcome = outcome
        self.receive = receive
        window = if case .chunks(let window) = delivery { window.map { max(1, $0) } } else { nil }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the delivery.
    ///
    /// If a thread is delivering batches, it delivers the outcome, too; otherwise the calling thread does.
    func cancel() {
        state.withLock { if !$0.hasOutcome { $0.isCancelled = true } }
        deliver()
    }

    func consumed(_ bytes: Int) {
        state.withLock { $0.outstanding = max(0, $0.outstanding - bytes) }
        deliver()
    }

    /// Delivers batches until the end or until the window is full, unless another call is doing so.
    func deliver() {
        let isFirst = state.withLock { state in
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        while let batch = state.withLock({ next(&$0) }) { receive(batch) }
    }

    private func next(_ state: inout State) -> TransportEvents? {
        guard !state.hasOutcome else { return stop(&state) }
        if state.isCancelled {
            state.hasOutcome = true
            return TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled)))
        }
        let rest = content.count - state.offset
        let length = window.map { min(rest, $0 - state.outstanding, Self.pieceLength) } ?? rest
        guard length > 0 || rest == 0 || !state.hasHead else { return stop(&state) }
        var batch = TransportEvents(head: state.hasHead ? nil : head)
        if length > 0 {
            let start = content.startIndex + state.offset
            batch.chunks = [content[start..<start + length]]
            state.offset += length
            state.outstanding += length
        }
        if length == rest {
            batch.outcome = outcome
            state.hasOutcome = true
        }
        state.hasHead = true
        return batch
    }

    private func stop(_ state: inout State) -> TransportEvents? {
        state.isDelivering = false
        return nil
    }
}

import Foundation
import MoyaHTTP

// Delivers a stored response, and pauses while too many bytes are unconsumed. Reads files on the disk store's queue,
// and delivers chunks of at most 64 KiB.
final class StoredResponseDelivery: TransportExchange {
    /// A range of the content, or `nil` for the error `cancelled`; the first step has the fallback.
    private typealias Step = (range: Range<Int>?, fallback: Work?)

    private struct State: Sendable {
        var offset = 0
        var unconsumedBytes = 0
        /// Whether pieces are being delivered; `false` while the delivery is paused, and after its end.
        var isDelivering = false
        var hasOutcome = false
        var isCancelled = false
        /// Called if the first piece cannot be read from its file; `nil` after the first piece.
        var fallback: Work?
    }

    private let reply: CacheReply
    /// The number of unconsumed bytes at which the delivery pauses.
    private let window: Int
    private let isWhole: Bool
    private let receive: @Sendable (TransportEvents) -> Void
    private let onUnreadable: @Sendable () -> Void
    private let state: Locked<State>

    // `onUnreadable` is called if content can't be read. If it is the first piece, nothing is delivered and `fallback`
    // is called; otherwise, the exchange fails with `URLError.networkConnectionLost`.
    init(
        _ reply: CacheReply, delivery: TransportRequest.Delivery,
        receive: @escaping @Sendable (TransportEvents) -> Void, onUnreadable: @escaping @Sendable () -> Void,
        fallback: @escaping @Sendable () -> Void
    ) {
        state = Locked(State(fallback: Work(fallback)))
        self.reply = reply
        self.receive = receive
        self.onUnreadable = onUnreadable
        switch delivery {
        case .whole: (window, isWhole) = (.max, true)
        case .chunks(let length): (window, isWhole) = (max(1, length ?? .max), false)
        }
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// The error `cancelled` is delivered next, unless the delivery of the last piece has begun.
    func cancel() {
        state.withLock { if !$0.hasOutcome { $0.isCancelled = true } }
        deliver()
    }

    func acknowledge(_ bytes: Int) {
        state.withLock { $0.unconsumedBytes = max(0, $0.unconsumedBytes - max(bytes, 0)) }
        deliver()
    }

    // Delivers until the end, or until `window` bytes are unconsumed, unless another call does. Content in a file is
    // delivered on the disk store's queue, other content on the calling thread.
    func deliver() {
        let isFirst = state.withLock { !$0.hasOutcome && !exchange(&$0.isDelivering, with: true) }
        guard isFirst else { return }
        if let queue = reply.content.file?.queue {
            queue.post { self.deliverPiece(on: queue) }
        } else {
            while let step = state.withLock({ next(&$0) }) { deliver(step) }
        }
    }

    /// Delivers one piece and enqueues the next, so that other operations on the queue can run between two pieces.
    private func deliverPiece(on queue: DiskQueue) {
        guard let step = state.withLock({ next(&$0) }) else { return }
        deliver(step)
        queue.post { self.deliverPiece(on: queue) }
    }

    private func next(_ state: inout State) -> Step? {
        guard !state.hasOutcome else { return stop(&state) }
        if state.isCancelled {
            state.hasOutcome = true
            return (nil, state.fallback.take())
        }
        let rest = reply.content.count - state.offset
        let length = min(
            rest, window - state.unconsumedBytes, isWhole ? rest : reply.content.restOfBlock(at: state.offset))
        guard length > 0 || rest == 0 else { return stop(&state) }
        defer { state.offset += length }
        state.unconsumedBytes += length
        state.hasOutcome = length == rest
        return (state.offset..<state.offset + length, state.fallback.take())
    }

    private func stop(_ state: inout State) -> Step? {
        state.isDelivering = false
        return nil
    }

    /// The first piece also delivers the head, and the last one the outcome.
    private func deliver(_ step: Step) {
        guard let range = step.range else { return receive(.cancelled) }
        guard let bytes = reply.content.bytes(range) else {
            state.withLock { $0.hasOutcome = true }
            onUnreadable()
            if let fallback = step.fallback { return fallback.run() }
            let error = URLError(
                .networkConnectionLost,
                "the rest of a stored response could not be read or was damaged. Send the request again.")
            return receive(TransportEvents(outcome: TransportOutcome(error: error)))
        }
        receive(
            TransportEvents(
                head: step.fallback == nil ? nil : reply.head, chunks: bytes.isEmpty ? [] : [bytes],
                outcome: range.upperBound == reply.content.count ? reply.outcome : nil))
    }
}

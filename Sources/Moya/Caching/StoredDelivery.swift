import Foundation

/// Delivers a stored response within the window of its request.
///
/// Content in a file is read on the file's queue, in pieces.
final class StoredDelivery: TransportExchange {
    private enum Step: Sendable {
        /// Content, with the head before the first piece and the outcome after the last one.
        case piece(Range<Int>, isFirst: Bool, isLast: Bool)
        case cancelled
    }

    private struct State: Sendable {
        var offset = 0
        /// The number of delivered bytes that have not been consumed.
        var outstanding = 0
        var hasHead = false
        /// Whether a thread is delivering batches.
        var isDelivering = false
        var hasOutcome = false
        var isCancelled = false
        /// Runs instead of the delivery if the first piece cannot be read; released after that.
        var fallback: Fallback?
    }

    private struct Fallback: Sendable {
        let run: @Sendable () -> Void
    }

    private let head: ResponseHead
    private let content: StoredContent
    private let outcome: TransportOutcome
    /// The window in bytes; `nil`: the content is delivered at once.
    private let window: Int?
    private let pieceLength: Int
    private let receive: @Sendable (TransportEvents) -> Void
    private let onUnreadable: @Sendable () -> Void
    private let state: Locked<State>

    /// - Parameters:
    ///   - onUnreadable: called if the content cannot be read.
    ///   - fallback: called after that if nothing was delivered, and nothing will be.
    init(
        _ head: ResponseHead, _ content: StoredContent, _ outcome: TransportOutcome,
        delivery: TransportRequest.Delivery, receive: @escaping @Sendable (TransportEvents) -> Void,
        onUnreadable: @escaping @Sendable () -> Void, fallback: @escaping @Sendable () -> Void
    ) {
        state = Locked(State(fallback: content.file == nil ? nil : Fallback(run: fallback)))
        self.head = head
        self.content = content
        self.outcome = outcome
        self.receive = receive
        self.onUnreadable = onUnreadable
        switch delivery {
        case .whole: (window, pieceLength) = (nil, .max)
        case .chunks(nil): (window, pieceLength) = (nil, content.file == nil ? .max : 64 << 10)
        case .chunks(let length?): (window, pieceLength) = (max(1, length), 64 << 10)
        }
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
        state.withLock { $0.outstanding = max(0, $0.outstanding - max(bytes, 0)) }
        deliver()
    }

    /// Delivers batches until the end or until the window is full, unless another call is doing so.
    func deliver() {
        let isFirst = state.withLock { state in
            guard !state.hasOutcome else { return false }
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        if let queue = content.file?.queue {
            queue.post { self.deliverPiece(on: queue) }
        } else {
            while let step = state.withLock({ next(&$0) }) { perform(step) }
        }
    }

    /// Delivers one piece, so that other work of the queue runs before the next one.
    private func deliverPiece(on queue: DiskQueue) {
        guard let step = state.withLock({ next(&$0) }) else { return }
        perform(step)
        queue.post { self.deliverPiece(on: queue) }
    }

    private func next(_ state: inout State) -> Step? {
        guard !state.hasOutcome else { return stop(&state) }
        if state.isCancelled {
            state.hasOutcome = true
            return .cancelled
        }
        let rest = content.count - state.offset
        let length = min(rest, window.map { $0 - state.outstanding } ?? rest, pieceLength)
        guard length > 0 || rest == 0 || !state.hasHead else { return stop(&state) }
        let step = Step.piece(
            state.offset..<state.offset + length, isFirst: !state.hasHead, isLast: length == rest)
        state.offset += length
        state.outstanding += length
        state.hasHead = true
        state.hasOutcome = length == rest
        return step
    }

    private func stop(_ state: inout State) -> Step? {
        state.isDelivering = false
        return nil
    }

    private func perform(_ step: Step) {
        let fallback = state.withLock { $0.fallback.take() }
        guard case .piece(let range, let isFirst, let isLast) = step else {
            return receive(TransportEvents(outcome: TransportOutcome(error: URLError(.cancelled))))
        }
        guard let bytes = content.bytes(range) else {
            state.withLock { $0.hasOutcome = true }
            onUnreadable()
            guard isFirst, let fallback else { return fail() }
            return fallback.run()
        }
        receive(
            TransportEvents(
                head: isFirst ? head : nil, chunks: bytes.isEmpty ? [] : [bytes], outcome: isLast ? outcome : nil))
    }

    private func fail() {
        let error = URLError(
            .networkConnectionLost, "the rest of a stored response could not be read: send the request again")
        receive(TransportEvents(outcome: TransportOutcome(error: error)))
    }
}

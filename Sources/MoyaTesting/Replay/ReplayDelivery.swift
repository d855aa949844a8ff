import Foundation
import Moya
import MoyaScheduling

/// With backpressure, the delivery of content pauses until the receiver has consumed earlier content.
final class ReplayDelivery: TransportExchange {
    /// A batch of events, and its due time since the start of the exchange.
    struct TimedBatch: Sendable {
        let due: Duration
        let batch: TransportEvents
        var length: Int { batch.chunks.reduce(0) { $0 + $1.count } }
    }

    private struct State: StepQueue {
        enum Step: Sendable {
            case deliver(TransportEvents)
            case wait(until: Duration)
        }

        let batches: [TimedBatch]
        let window: Int?
        /// The time since the start when the delivery began or went on.
        var now = Duration.zero
        var index = 0
        var unconsumedBytes = 0
        var isRunningSteps = false
        var hasTimer = false
        var hasOutcome = false
        var isCancelled = false

        mutating func nextStep() -> Step? {
            if hasOutcome { return nil }
            if isCancelled {
                hasOutcome = true
                return .deliver(.cancelled)
            }
            guard index < batches.count else { return nil }
            let next = batches[index]
            if next.length > 0, let window, unconsumedBytes >= window { return nil }
            guard next.due <= now else {
                defer { hasTimer = true }
                return hasTimer ? nil : .wait(until: next.due)
            }
            index += 1
            unconsumedBytes += next.length
            hasOutcome = next.batch.outcome != nil
            return .deliver(next.batch)
        }
    }

    private let scheduler: (any Scheduler)?
    private let start: Duration
    private let receive: @Sendable (TransportEvents) -> Void
    private let timer = Locked<(any Cancellable)?>(nil)
    private let state: Locked<State>

    /// Creates an exchange; ``deliver()`` starts the delivery of the batches.
    ///
    /// - Parameters:
    ///   - steps: the batches in order. Only the last batch may have an outcome. Without an outcome, the exchange ends
    ///     only when it is cancelled.
    ///   - delivery: the delivery mode of the request. If the mode has a window, content is delivered only while the
    ///     number of bytes that are delivered and not consumed is less than the window.
    ///   - scheduler: delays the batches; `nil` to deliver all batches immediately.
    ///   - receive: receives the batches.
    init(
        _ steps: [TimedBatch], delivery: TransportRequest.Delivery, on scheduler: (any Scheduler)?,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.scheduler = scheduler
        self.receive = receive
        start = scheduler?.now ?? .zero
        let window: Int? = if case .chunks(let window) = delivery { window.map { max(1, $0) } } else { nil }
        state = Locked(State(batches: steps, window: window))
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// If a call of ``deliver()`` is in progress, that call delivers the outcome.
    func cancel() {
        state.withLock { if !$0.hasOutcome { $0.isCancelled = true } }
        timer.withLock { $0.take() }?.cancel()
        deliver()
    }

    func acknowledge(_ bytes: Int) {
        state.withLock { $0.unconsumedBytes = max(0, $0.unconsumedBytes - max(bytes, 0)) }
        deliver()
    }

    /// Delivers the batches that are due; pauses while `window` or more delivered bytes are not consumed.
    ///
    /// If another call of this method is in progress, that call delivers them.
    func deliver() {
        let now = elapsed
        state.runSteps(after: { $0.now = now }) { step in
            switch step {
            case .deliver(let batch): receive(batch)
            case .wait(let due): schedule(after: due - elapsed)
            }
        }
    }

    /// The time since the start; without a scheduler, all batches are due.
    private var elapsed: Duration { scheduler.map { $0.now - start } ?? .longest }

    private func schedule(after delay: Duration) {
        let token = scheduler?.schedule(after: delay) { [self] in
            state.withLock { $0.hasTimer = false }
            deliver()
        }
        let former = timer.withLock { timer in
            defer { timer = token }
            return timer
        }
        withExtendedLifetime(former) {}
        if isCancelled { token?.cancel() }
    }
}

extension ReplayDelivery {
    private static let pieceLength = 64 << 10

    /// Returns the batches that replay the response of an archive entry, with their due times.
    static func steps(
        of entry: HAR.Entry, for request: TransportRequest, bytesSent: Int64, scale: Double
    ) -> [TimedBatch] {
        let scale = scale >= 0 ? min(scale, 1e6) : 0
        func due(_ time: Duration) -> Duration { time * scale }
        var metrics = TransportMetrics()
        metrics.firstByte = entry.timings.firstByte
        metrics.total = entry.timings.total
        metrics.version = entry.response?.version
        let outcome = TransportOutcome(
            error: entry.failure?.error, trailers: entry.response?.trailers ?? [:], metrics: metrics)
        // If the recorded exchange was cancelled, the replay has no outcome and ends only when it is cancelled, too.
        let isOpen = entry.failure?.isCancel ?? false
        var steps: [TimedBatch] = []
        func add(
            _ time: Duration, _ head: ResponseHead? = nil, _ chunks: [Data] = [], _ outcome: TransportOutcome? = nil
        ) {
            let batch = TransportEvents(head: head, chunks: chunks, bytesSent: bytesSent, outcome: outcome)
            steps.append(TimedBatch(due: due(time), batch: batch))
        }
        let total = entry.timings.total
        guard let response = entry.response else {
            if !isOpen { add(total, nil, [], outcome) }
            return steps
        }
        let head = ResponseHead(statusCode: response.statusCode, version: response.version, headers: response.headers)
        let content = response.content.data ?? Data()
        guard case .chunks(let window) = request.delivery else {
            // Progress, without which the idle time would pass.
            for time in [entry.timings.firstByte] + response.chunks.map(\.time) where time < total { add(time) }
            add(total, head, content.isEmpty ? [] : [content], isOpen ? nil : outcome)
            return steps
        }
        add(entry.timings.firstByte, head)
        var chunks = response.chunks
        if chunks.isEmpty, !content.isEmpty {
            let length = window == nil ? content.count : Self.pieceLength
            chunks = stride(from: 0, to: content.count, by: length).map { HAR.Chunk(offset: $0, time: total) }
        }
        let ends = chunks.dropFirst().map(\.offset) + [content.count]
        for (chunk, end) in zip(chunks, ends) {
            add(chunk.time, nil, [content[content.startIndex + chunk.offset..<content.startIndex + end]])
        }
        if !isOpen { add(max(total, chunks.last?.time ?? .zero), nil, [], outcome) }
        return steps
    }
}

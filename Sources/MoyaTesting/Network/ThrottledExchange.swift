import Foundation
import Moya
import MoyaScheduling

/// Only one thread at a time transmits content and delivers events: the thread that has set `activity` to `running`.
final class ThrottledExchange: TransportExchange {
    /// What the exchange does: `idle` awaits events of `transport`, `waiting` is a simulated delay.
    private enum Activity {
        case idle
        case waiting(SingleAssignmentCancellable)
        case running
        case finished
    }

    private struct ThrottledPart: Sendable {
        let batch: TransportEvents
        let bytes: Int
        /// Whether the part has a head or content, which must be transmitted and may be lost.
        let isTransmitted: Bool
        let readyAt: Duration
    }

    private struct State: Sendable {
        var activity = Activity.running
        var isCancelled = false
        var parts = Queue<ThrottledPart>()
        /// The exchange that sends the request; `nil` until `transport.start` has returned, and after `end()`.
        var exchange: (any TransportExchange)?
        var acknowledgements = AcknowledgementsBeforeStart()

        mutating func end() {
            activity = .finished
            parts = Queue()
            exchange = nil
        }
    }

    private static let maximumPart = 16 << 10

    private let request: TransportRequest
    private let network: ThrottledTransport
    private let transport: any Transport
    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Locked(State())
    /// The length of the request's content; `nil` if it is unknown, in which case the simulated upload has 0 bytes.
    private let uploadLength: Int64?

    init(
        _ request: TransportRequest, on network: ThrottledTransport, _ transport: any Transport,
        receive: @escaping @Sendable (TransportEvents) -> Void
    ) {
        self.request = request
        self.network = network
        self.transport = transport
        self.receive = receive
        uploadLength = (try? request.body.length()) ?? nil
    }

    func start() {
        upload(from: 0)
    }

    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func cancel() {
        let former = state.withLock { state -> State? in
            if case .finished = state.activity { return nil }
            state.isCancelled = true
            let former = state
            // The thread that is transmitting content notices `isCancelled` and delivers the outcome.
            if case .running = state.activity { return former }
            state.end()
            return former
        }
        guard let former else { return }
        former.exchange?.cancel()
        switch former.activity {
        case .waiting(let timer):
            timer.cancel()
            receive(.cancelled)
        case .idle: receive(.cancelled)
        case .running, .finished: break
        }
    }

    func acknowledge(_ bytes: Int) {
        let exchange = state.withLock { state in
            if state.exchange == nil { state.acknowledgements.add(bytes) }
            return state.exchange
        }
        exchange?.acknowledge(bytes)
    }
}

extension ThrottledExchange {
    private func upload(from offset: Int64) {
        let length = uploadLength ?? 0
        var offset = offset
        while true {
            let end = min(offset + Int64(Self.maximumPart), length)
            switch network.transmit(Int(end - offset), .up) {
            case .isLost(let time): return wait(time) { [self] in fail() }
            case .arrives(let time):
                let delay = end == length ? time + network.latency : time
                guard delay <= .zero else {
                    return wait(delay) { [self] in if continueUpload(to: end) { upload(from: end) } }
                }
                guard continueUpload(to: end) else { return }
            }
            offset = end
        }
    }

    private func continueUpload(to end: Int64) -> Bool {
        let length = uploadLength ?? 0
        if length > 0 { receive(TransportEvents(bytesSent: end)) }
        if end == length { send() }
        return end < length
    }

    private func send() {
        guard transition(to: .idle) else { return }
        let exchange = transport.start(request) { [self] in take($0) }
        let (isOver, acknowledgements) = state.withLock { state in
            if case .finished = state.activity { return (true, 0) }
            state.exchange = exchange
            return (state.isCancelled, state.acknowledgements.take())
        }
        // `isOver` means cancelled or already complete. Cancelling a complete exchange has no effect.
        exchange.catchUp(acknowledged: acknowledgements, isCancelled: isOver)
    }
}

extension ThrottledExchange {
    /// `transport` calls this method for one batch at a time.
    private func take(_ batch: TransportEvents) {
        let parts = parts(of: batch)
        let isFirst = state.withLock { state in
            if case .finished = state.activity { return false }
            for part in parts { state.parts.append(part) }
            guard case .idle = state.activity else { return false }
            state.activity = .running
            return true
        }
        if isFirst { deliverParts() }
    }

    private func parts(of batch: TransportEvents) -> [ThrottledPart] {
        let readyAt = network.scheduler.now + network.latency
        var batch = batch
        batch.bytesSent = max(batch.bytesSent, uploadLength ?? 0)
        let pieces = batch.chunks.flatMap(Self.split)
        guard let last = pieces.indices.last else {
            return [ThrottledPart(batch: batch, bytes: 0, isTransmitted: batch.head != nil, readyAt: readyAt)]
        }
        let isWhole = request.delivery == .whole && batch.head != nil && batch.outcome != nil
        return pieces.indices.map { index in
            var part = TransportEvents(bytesSent: batch.bytesSent)
            if isWhole {
                if index == last { part = batch }
            } else {
                part.head = index == 0 ? batch.head : nil
                part.chunks = [pieces[index]]
                part.outcome = index == last ? batch.outcome : nil
            }
            return ThrottledPart(batch: part, bytes: pieces[index].count, isTransmitted: true, readyAt: readyAt)
        }
    }

    private static func split(_ chunk: Data) -> [Data] {
        stride(from: 0, to: chunk.count, by: maximumPart).map { offset in
            let start = chunk.startIndex + offset
            return chunk.subdata(in: start..<min(start + maximumPart, chunk.endIndex))
        }
    }

    private func deliverParts() {
        while let part = nextPart() {
            let delay = part.readyAt - network.scheduler.now
            guard delay <= .zero else { return wait(delay) { [self] in if transmit(part) { deliverParts() } } }
            guard transmit(part) else { return }
        }
    }

    private func nextPart() -> ThrottledPart? {
        let (part, isCancelled) = state.withLock { state -> (ThrottledPart?, Bool) in
            if state.isCancelled { return (nil, true) }
            let part = state.parts.popFirst()
            if part == nil { state.activity = .idle }
            return (part, false)
        }
        if isCancelled { end(.cancelled) }
        return part
    }

    /// Delivers a part, immediately or at the end of its simulated transmission.
    ///
    /// - Returns: whether the part was delivered immediately and more parts may follow.
    private func transmit(_ part: ThrottledPart) -> Bool {
        guard part.isTransmitted else { return deliver(part.batch) }
        switch network.transmit(part.bytes, .down) {
        case .isLost(let time):
            wait(time) { [self] in fail() }
            return false
        case .arrives(let time) where time > .zero:
            wait(time) { [self] in if deliver(part.batch) { deliverParts() } }
            return false
        case .arrives: return deliver(part.batch)
        }
    }

    private func deliver(_ batch: TransportEvents) -> Bool {
        if batch.outcome != nil { end(batch) } else { receive(batch) }
        return batch.outcome == nil
    }

    private func fail() {
        let exchange = state.withLock { $0.exchange }
        let reason = "the simulated network has lost the connection"
        end(
            TransportEvents(
                outcome: TransportOutcome(
                    error: URLError(.networkConnectionLost, userInfo: [NSLocalizedDescriptionKey: reason]))))
        exchange?.cancel()
    }
}

extension ThrottledExchange {
    private func wait(_ delay: Duration, _ work: @escaping @Sendable () -> Void) {
        guard delay > .zero else { return work() }
        let timer = SingleAssignmentCancellable()
        guard transition(to: .waiting(timer)) else { return }
        timer.store(
            network.scheduler.schedule(after: delay) { [self] in
                if transition(to: .running) { work() }
            })
    }

    /// Sets `activity`; instead, ends a cancelled exchange, and ignores a finished one.
    private func transition(to next: Activity) -> Bool {
        let (isOver, isCancelled) = state.withLock { state in
            if case .finished = state.activity { return (true, false) }
            if state.isCancelled { return (true, true) }
            state.activity = next
            return (false, false)
        }
        if isCancelled { end(.cancelled) }
        return !isOver
    }

    /// Delivers the last batch; only the thread that has set `activity` to `running` calls this method.
    private func end(_ batch: TransportEvents) {
        let former = state.withLock { state in
            let former = state
            state.end()
            return former
        }
        receive(former.isCancelled ? .cancelled : batch)
        withExtendedLifetime(former) {}
    }
}

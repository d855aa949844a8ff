import Foundation
import Moya

final class TransportTrace: Sendable {
    struct Events: Sendable {
        var head: ResponseHead?
        var heads = 0
        var chunks: [Data] = []
        /// The number of received `TransportEvents` with content.
        var batches = 0
        var received = 0
        var outcomes: [TransportOutcome] = []
        var isOutOfOrder = false

        var content: Data { chunks.reduce(into: Data()) { $0 += $1 } }
        var text: String { String(decoding: content, as: UTF8.self) }
        var error: URLError? { outcomes.first?.error }

        mutating func add(_ batch: TransportEvents) {
            if !outcomes.isEmpty || head == nil && batch.head == nil && !batch.chunks.isEmpty { isOutOfOrder = true }
            if let head = batch.head {
                self.head = head
                heads += 1
            }
            chunks += batch.chunks
            if !batch.chunks.isEmpty { batches += 1 }
            received += batch.chunks.reduce(0) { $0 + $1.count }
            if let outcome = batch.outcome { outcomes.append(outcome) }
        }
    }

    /// Stores the events; the transport's callback retains this object, not the trace, to avoid a retain cycle.
    private final class EventStorage: Sendable {
        let events = Locked(Events())
    }

    private let collection = EventStorage()
    private let exchange = Locked<(any TransportExchange)?>(nil)

    init(_ request: TransportRequest, on transport: any Transport) {
        let exchange = transport.start(request) { [collection] batch in
            collection.events.withLock { $0.add(batch) }
        }
        self.exchange.withLock { $0 = exchange }
    }

    var received: Int { collection.events.withLock { $0.received } }
    var hasHead: Bool { collection.events.withLock { $0.head != nil } }
    var isOver: Bool { collection.events.withLock { !$0.outcomes.isEmpty } }

    func cancel() { exchange.withLock { $0 }?.cancel() }
    func acknowledge(_ bytes: Int) { exchange.withLock { $0 }?.acknowledge(bytes) }

    func finished() async throws -> Events {
        try await until("there is an outcome") { self.isOver }
        let result = collection.events.withLock { $0 }
        try expect(
            result.isOutOfOrder, is: false, "whether content arrived before the head, or an event after the outcome,")
        try expect(result.outcomes.count, is: 1, "the number of outcomes")
        return result
    }
}

extension Transport {
    func outcome(of request: TransportRequest) async throws -> TransportTrace.Events {
        try await TransportTrace(request, on: self).finished()
    }
}

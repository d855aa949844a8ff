import Moya
import Synchronization

/// Calls the receiver with one batch at a time, although request and response run in tasks of their own.
///
/// A batch that is sent while the receiver is being called is queued, and delivered by the calling task. No batch is
/// delivered after an outcome.
final class Outbox: Sendable {
    private struct State {
        var queue: [TransportEvents] = []
        var bytesSent: Int64 = 0
        var isDelivering = false
        var isClosed = false
    }

    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Mutex(State())

    init(_ receive: @escaping @Sendable (TransportEvents) -> Void) {
        self.receive = receive
    }

    /// Reports how many bytes of the content of the request were sent.
    func sent(_ bytes: Int64) {
        state.withLock { $0.bytesSent = bytes }
        send(TransportEvents())
    }

    func send(_ events: TransportEvents) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            var events = events
            events.bytesSent = state.bytesSent
            state.queue.append(events)
            state.isClosed = events.outcome != nil
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isFirst else { return }
        while let next = next() { receive(next) }
    }

    private func next() -> TransportEvents? {
        state.withLock { state in
            guard !state.queue.isEmpty else {
                state.isDelivering = false
                return nil
            }
            return state.queue.removeFirst()
        }
    }
}

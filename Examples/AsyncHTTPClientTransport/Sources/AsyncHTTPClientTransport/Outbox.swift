import Moya
import Synchronization

/// Calls the receiver with one batch at a time, though request and answer run in tasks of their own.
///
/// Whoever comes while it is being called leaves a batch behind, for the one who is calling. Nothing goes out behind an
/// outcome.
final class Outbox: Sendable {
    private struct State {
        var waiting: [TransportEvents] = []
        var bytesSent: Int64 = 0
        var isDelivering = false
        var isClosed = false
    }

    private let receive: @Sendable (TransportEvents) -> Void
    private let state = Mutex(State())

    init(_ receive: @escaping @Sendable (TransportEvents) -> Void) {
        self.receive = receive
    }

    /// So many bytes of the request's content have left.
    func sent(_ bytes: Int64) {
        state.withLock { $0.bytesSent = bytes }
        send(TransportEvents())
    }

    func send(_ events: TransportEvents) {
        let isMine = state.withLock { state in
            guard !state.isClosed else { return false }
            var events = events
            events.bytesSent = state.bytesSent
            state.waiting.append(events)
            state.isClosed = events.outcome != nil
            defer { state.isDelivering = true }
            return !state.isDelivering
        }
        guard isMine else { return }
        while let next = next() { receive(next) }
    }

    private func next() -> TransportEvents? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isDelivering = false
                return nil
            }
            return state.waiting.removeFirst()
        }
    }
}

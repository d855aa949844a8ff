/// From one thread to another: messages are received one at a time and in order, on a scheduler.
///
/// The sender appends, the receiver takes the whole batch: a burst of messages is one piece of scheduled work.
package final class Mailbox<Message: Sendable>: Sendable {
    private struct State: Sendable {
        var messages: [Message] = []
        var isScheduled = false
        var isClosed = false
    }

    private let state = Guarded(State())
    private let scheduler: any Scheduler
    private let receive: @Sendable (Message) -> Void

    package init(on scheduler: any Scheduler, _ receive: @escaping @Sendable (Message) -> Void) {
        self.scheduler = scheduler
        self.receive = receive
    }

    package func post(_ message: Message) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            state.messages.append(message)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { scheduler.schedule { self.drain() } }
    }

    /// Drops what was not received, and all that comes.
    package func close() {
        let dropped = state.withLock { state in
            state.isClosed = true
            defer { state.messages = [] }
            return state.messages
        }
        _ = dropped
    }

    private func drain() {
        while true {
            let batch = state.withLock { state in
                state.isScheduled = !state.messages.isEmpty
                defer { state.messages = [] }
                return state.messages
            }
            if batch.isEmpty { return }
            for message in batch where !isClosed { receive(message) }
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }
}

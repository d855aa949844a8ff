/// From one thread to another: messages are received one at a time and in order, on a scheduler.
///
/// The sender appends, the receiver takes the whole batch: a burst of messages is one piece of scheduled work.
@usableFromInline
package final class Mailbox<Message: Sendable>: Sendable {
    /// A struct around the closure: a bare closure gains a thunk each time it is moved into or out of an optional.
    @usableFromInline
    struct Receiver: Sendable {
        @usableFromInline let receive: @Sendable (Message) -> Void

        @inlinable
        init(receive: @escaping @Sendable (Message) -> Void) {
            self.receive = receive
        }
    }

    @usableFromInline
    struct State: Sendable {
        /// Nil when closed.
        @usableFromInline var receiver: Receiver?
        @usableFromInline var messages: [Message] = []
        @usableFromInline var isScheduled = false

        @inlinable
        init(receiver: Receiver? = nil, isScheduled: Bool = false) {
            self.receiver = receiver
            self.isScheduled = isScheduled
        }
    }

    @usableFromInline let state: Guarded<State>
    @usableFromInline let scheduler: any Scheduler

    @inlinable
    package init(on scheduler: any Scheduler, _ receive: @escaping @Sendable (Message) -> Void) {
        self.scheduler = scheduler
        state = Guarded(State(receiver: Receiver(receive: receive)))
    }

    @inlinable
    package func post(_ message: Message) {
        let isFirst = state.withLock { state in
            guard state.receiver != nil else { return false }
            state.messages.append(message)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if isFirst { scheduler.schedule { self.drain() } }
    }

    /// Drops the receiver, what it was not given yet, and all that comes.
    ///
    /// A batch that is being received goes on: a receiver that must not see the rest of it says so itself.
    @inlinable
    package func close() {
        let dropped = state.withLock { state in
            defer { state = State(isScheduled: state.isScheduled) }
            return state
        }
        withExtendedLifetime(dropped) {}
    }

    @inlinable
    func drain() {
        while let (receiver, batch) = takeBatch() {
            for message in batch { receiver.receive(message) }
        }
    }

    @inlinable
    func takeBatch() -> (Receiver, [Message])? {
        state.withLock { state in
            guard let receiver = state.receiver, !state.messages.isEmpty else {
                state.isScheduled = false
                return nil
            }
            defer { state.messages = [] }
            return (receiver, state.messages)
        }
    }
}

/// From one thread to another: messages are received one at a time and in order, on a scheduler.
///
/// The sender appends, the receiver takes the whole batch: a burst of messages is one piece of scheduled work. After two
/// milliseconds the receiver gives way: what else waits for the scheduler runs before the rest of the messages.
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
        /// The rest of a batch, which goes first.
        @usableFromInline var rest: ArraySlice<Message> = []
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
        var budget = TimeSlice()
        while let (receiver, batch) = takeBatch() {
            var index = batch.startIndex
            while index < batch.endIndex {
                receiver.receive(batch[index])
                index += 1
                if budget.isOver(scheduler) {
                    if giveWay(batch[index...]) { scheduler.schedule { self.drain() } }
                    return
                }
            }
        }
    }

    @inlinable
    func takeBatch() -> (Receiver, ArraySlice<Message>)? {
        state.withLock { state in
            guard let receiver = state.receiver, !state.rest.isEmpty || !state.messages.isEmpty else {
                state.isScheduled = false
                return nil
            }
            if !state.rest.isEmpty {
                defer { state.rest = [] }
                return (receiver, state.rest)
            }
            defer { state.messages = [] }
            return (receiver, state.messages[...])
        }
    }

    /// Keeps the rest of a batch for later; false if nothing waits.
    @usableFromInline
    func giveWay(_ rest: ArraySlice<Message>) -> Bool {
        state.withLock { state in
            guard state.receiver != nil else {
                state.isScheduled = false
                return false
            }
            state.rest = rest
            state.isScheduled = !rest.isEmpty || !state.messages.isEmpty
            return state.isScheduled
        }
    }
}

/// How long a receiver may go on before it gives way to others on its scheduler.
///
/// The time is the scheduler's, so that virtual time, which stands still meanwhile, knows no slices. The clock is read after
/// the first message and then as seldom as the messages allow: at least every 64.
@usableFromInline
struct TimeSlice {
    private static let length = Duration.milliseconds(2)

    @usableFromInline var messagesLeft = 1
    private var stride = 1
    private var start: Duration?

    @usableFromInline
    init() {}

    /// Whether the time is over, after one more message.
    @inlinable
    @inline(__always)
    mutating func isOver(_ scheduler: any Scheduler) -> Bool {
        messagesLeft -= 1
        return messagesLeft == 0 && isOver(at: scheduler.now)
    }

    @usableFromInline
    @inline(never)
    mutating func isOver(at now: Duration) -> Bool {
        if let start {
            let spent = now - start
            if spent >= Self.length { return true }
            // Twice as many, if they take less than what is left.
            if stride < 64, spent * 2 < Self.length - spent {
                stride *= 2
            } else if spent * 2 > Self.length {
                stride = 1
            }
        } else {
            start = now
        }
        messagesLeft = stride
        return false
    }
}

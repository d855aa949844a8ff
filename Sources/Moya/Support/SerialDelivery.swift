/// From one thread to another: messages are received one at a time and in order, on a scheduler.
///
/// The sender appends, the receiver takes the whole batch: a burst of messages is one piece of scheduled work. After two
/// milliseconds the receiver gives way: what else waits for the scheduler runs before the rest of the messages.
@usableFromInline
package final class SerialDelivery<Message: Sendable>: Sendable {
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
        /// A batch of which a part was received: the rest goes first.
        @usableFromInline var rest: [Message] = []
        @usableFromInline var restStart = 0
        @usableFromInline var isScheduled = false

        @inlinable
        init(receiver: Receiver? = nil, isScheduled: Bool = false) {
            self.receiver = receiver
            self.isScheduled = isScheduled
        }
    }

    @usableFromInline
    struct Batch {
        @usableFromInline let receiver: Receiver
        @usableFromInline let messages: [Message]
        @usableFromInline let start: Int

        @inlinable
        init(receiver: Receiver, messages: [Message], start: Int) {
            self.receiver = receiver
            self.messages = messages
            self.start = start
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
    /// It does not stop a batch that is being received: a receiver that must not see the rest of it checks that itself.
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
        var slice = TimeSlice()
        while let batch = takeBatch() {
            var start = batch.start
            while start < batch.messages.count {
                let end = min(start + slice.stride, batch.messages.count)
                for index in start..<end { batch.receiver.receive(batch.messages[index]) }
                start = end
                if start < batch.messages.count || hasMessages, slice.isOver(at: scheduler.now) {
                    if giveWay(batch.messages, from: start) { scheduler.schedule { self.drain() } }
                    return
                }
            }
        }
    }

    @inlinable var hasMessages: Bool { state.withLock { !$0.messages.isEmpty } }

    @inlinable
    func takeBatch() -> Batch? {
        state.withLock { state in
            guard let receiver = state.receiver else {
                state.isScheduled = false
                return nil
            }
            if !state.rest.isEmpty {
                defer { state.rest = [] }
                return Batch(receiver: receiver, messages: state.rest, start: state.restStart)
            }
            guard !state.messages.isEmpty else {
                state.isScheduled = false
                return nil
            }
            defer { state.messages = [] }
            return Batch(receiver: receiver, messages: state.messages, start: 0)
        }
    }

    /// Keeps the rest of a batch for later; false if nothing waits.
    @usableFromInline
    func giveWay(_ messages: [Message], from start: Int) -> Bool {
        state.withLock { state in
            guard state.receiver != nil else {
                state.isScheduled = false
                return false
            }
            if start < messages.count {
                state.rest = messages
                state.restStart = start
            }
            state.isScheduled = start < messages.count || !state.messages.isEmpty
            return state.isScheduled
        }
    }
}

/// How long a receiver may run before it gives way to other work of its scheduler.
///
/// The time is the scheduler's, so that virtual time, which stands still meanwhile, knows no slices. The clock is read after
/// the first message, and then as seldom as the messages allow: at least after every 64.
@usableFromInline
struct TimeSlice {
    private static let length = Duration.milliseconds(2)

    /// How many messages to receive before the clock is read.
    @usableFromInline private(set) var stride = 1
    private var start: Duration?
    private var last = Duration.zero

    @usableFromInline
    init() {}

    @usableFromInline
    @inline(never)
    mutating func isOver(at now: Duration) -> Bool {
        defer { last = now }
        guard let start else {
            start = now
            return false
        }
        if now - start >= Self.length { return true }
        // Twice as many next time, if they fit into a quarter of the slice.
        if (now - last) * 8 < Self.length { stride = min(stride * 2, 64) } else { stride = 1 }
        return false
    }
}

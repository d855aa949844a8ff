/// Delivers messages on a scheduler, one at a time and in order.
///
/// One piece of scheduled work delivers the pending messages. If messages remain after two milliseconds, they are
/// delivered by a new piece of scheduled work, so that other work of the scheduler runs in between.
@usableFromInline
package final class SerialDelivery<Message: Sendable>: Sendable {
    /// A closure, stored in a struct because an optional of a bare closure is slower to access.
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
        /// The receiver of the messages; `nil` after `close()`.
        @usableFromInline var receiver: Receiver?
        @usableFromInline var messages: [Message] = []
        /// A batch whose delivery was interrupted; its messages from index `restStart` on are delivered next.
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

    @usableFromInline let state: Locked<State>
    @usableFromInline let scheduler: any Scheduler

    @inlinable
    package init(on scheduler: any Scheduler, _ receive: @escaping @Sendable (Message) -> Void) {
        self.scheduler = scheduler
        state = Locked(State(receiver: Receiver(receive: receive)))
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

    /// Releases the receiver and the pending messages, and ignores later messages.
    ///
    /// A running delivery is not interrupted: the receiver may still receive the remaining messages of the current
    /// batch. The receiver must ignore these messages.
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
                    if suspend(batch.messages, from: start) { scheduler.schedule { self.drain() } }
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

    /// Keeps the undelivered messages of a batch, from the index `start` on, for the next call of `drain()`.
    ///
    /// - Returns: whether messages are pending. If so, the caller must schedule another call of `drain()`.
    @usableFromInline
    func suspend(_ messages: [Message], from start: Int) -> Bool {
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

/// Limits how long a receiver runs before other work of its scheduler can run.
///
/// The scheduler's clock measures the time. A virtual clock does not advance during a delivery, so it sets no limit.
/// Because reading the clock is slow, it is read only after every ``stride`` messages.
@usableFromInline
struct TimeSlice {
    private static let length = Duration.milliseconds(2)

    /// The number of messages to deliver before the clock is read: from 1 for a slow receiver to 64 for a fast one.
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
        // The stride doubles only if, at the current speed, the doubled stride takes less than a quarter of the slice.
        if (now - last) * 8 < Self.length { stride = min(stride * 2, 64) } else { stride = 1 }
        return false
    }
}

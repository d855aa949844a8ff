// Delivers messages on a scheduler, one at a time and in order. A delivery reschedules itself after two milliseconds,
// so that other work of the scheduler can run in between.
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

        /// Receives messages of an array that is a parameter, whose elements need not be copied to be read.
        @inlinable
        func receive(_ messages: [Message], _ range: Range<Int>) {
            for index in range { receive(messages[index]) }
        }
    }

    @usableFromInline
    struct State: Sendable {
        /// The receiver of the messages; `nil` after `close()`.
        @usableFromInline var receiver: Receiver?
        @usableFromInline var messages: [Message] = []
        /// Whether work that will deliver the messages is scheduled or running.
        @usableFromInline var isScheduled = false
        /// A batch whose delivery was interrupted; its messages from index `restStart` on are delivered next.
        @usableFromInline var rest: [Message] = []
        @usableFromInline var restStart = 0
        /// Whether messages are being delivered: a scheduler that runs its work twice must not deliver twice at a time.
        @usableFromInline var isDelivering = false

        @inlinable
        init(receiver: Receiver? = nil) {
            self.receiver = receiver
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
        if isFirst { scheduler.schedule { self.deliver() } }
    }

    // Releases receiver and pending messages. The receiver must ignore the rest of a batch being delivered.
    @inlinable
    package func close() {
        let dropped = state.withLock { exchange(&$0, with: State()) }
        withExtendedLifetime(dropped) {}
    }

    @inlinable
    func deliver() {
        var slice = TimeSlice()
        var batch: [Message] = []
        var start = 0
        guard let receiver = begin(with: &batch, from: &start) else { return }
        repeat {
            while start < batch.count {
                let end = min(start + slice.stride, batch.count)
                receiver.receive(batch, start..<end)
                start = end
                if start < batch.count || hasMessages, slice.isOver(at: scheduler.now) {
                    // Scheduled here, where the compiler knows the type of the messages.
                    if suspend(batch, from: start) { scheduler.schedule { self.deliver() } }
                    return
                }
            }
            batch.removeAll(keepingCapacity: batch.count <= 1024)
            start = 0
        } while takeBatch(into: &batch)
    }

    @inlinable var hasMessages: Bool { state.withLock { !$0.messages.isEmpty } }

    @usableFromInline
    func begin(with batch: inout [Message], from start: inout Int) -> Receiver? {
        state.withLock { state in
            guard let receiver = state.receiver, !state.isDelivering else { return nil }
            state.isDelivering = true
            swap(&batch, &state.rest)
            start = exchange(&state.restStart, with: 0)
            return receiver
        }
    }

    @inlinable
    func takeBatch(into batch: inout [Message]) -> Bool {
        state.withLock { state in
            guard state.receiver != nil else { return false }
            swap(&batch, &state.messages)
            state.isDelivering = !batch.isEmpty
            state.isScheduled = state.isDelivering
            return state.isDelivering
        }
    }

    /// Ends the delivery before its time; returns whether the caller must schedule the next one.
    @usableFromInline
    func suspend(_ batch: [Message], from start: Int) -> Bool {
        state.withLock { state in
            guard state.receiver != nil else { return false }
            state.rest = batch
            state.restStart = start
            state.isDelivering = false
            return true
        }
    }
}

// Limits how long a receiver keeps other work of its scheduler waiting. A virtual clock does not advance during a
// delivery, so it sets no limit. Reading the clock is slow, so it is read only every ``stride`` messages.
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

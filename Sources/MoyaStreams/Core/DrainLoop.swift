public import MoyaScheduling
public import Synchronization

/// Serialises access to a state without blocking (R7, R8, R11).
///
/// At any time, one call at most owns the state. While another thread, or a caller further up the stack, owns the
/// state, messages are queued. The owner processes them in the order of arrival before it returns. No thread waits for
/// the state, so closures of the user may run while it is owned.
@usableFromInline
final class DrainLoop<State: Sendable, Message: Sendable>: Sendable {
    @usableFromInline let state: Locked<State>
    @usableFromInline let process: @Sendable (inout State, Message) -> Void
    @usableFromInline let hasMessages = Atomic<Bool>(false)
    /// Whether a call owns the state.
    ///
    /// Read before a try-lock, because a try-lock that fails costs a system call.
    @usableFromInline let isOwned = Atomic<Bool>(false)
    private let messages = Locked<[Message]>([])

    @inlinable
    init(_ state: State, _ process: @escaping @Sendable (inout State, Message) -> Void) {
        self.state = Locked(state)
        self.process = process
    }

    /// Processes a message now, or queues it for the current owner.
    @inlinable
    func submit(_ message: Message) {
        if !tryWithState({ state in process(&state, message) }) { enqueue(message) }
    }

    /// Runs `body` with the state if no call owns the state and no message is queued.
    ///
    /// If it returns false, the caller queues a message instead, behind the other messages, so that the messages of one
    /// thread keep their order.
    ///
    /// - Returns: whether `body` was called.
    @inlinable
    @inline(__always)
    func tryWithState(_ body: (inout State) -> Void) -> Bool {
        guard !isOwned.load(ordering: .relaxed), !hasMessages.load(ordering: .relaxed) else { return false }
        let isEntered = state.withLockIfFree { state in
            isOwned.store(true, ordering: .relaxed)
            body(&state)
            if hasMessages.load(ordering: .relaxed) { drain(&state) }
            isOwned.store(false, ordering: .relaxed)
        }
        // Pairs with the store in `enqueue`: either this thread sees the new message, or the thread that has queued the
        // message finds the state free.
        if isEntered, hasMessages.load(ordering: .sequentiallyConsistent) { drainIfIdle() }
        return isEntered
    }

    /// Queues a message, and processes all queued messages if no call owns the state.
    @usableFromInline
    func enqueue(_ message: Message) {
        messages.withLock { $0.append(message) }
        hasMessages.store(true, ordering: .sequentiallyConsistent)
        drainIfIdle()
    }

    /// Processes the queued messages until none is left or another call owns the state.
    @usableFromInline
    func drainIfIdle() {
        while hasMessages.load(ordering: .sequentiallyConsistent) {
            let isEntered = state.withLockIfFree { state in
                isOwned.store(true, ordering: .relaxed)
                drain(&state)
                isOwned.store(false, ordering: .relaxed)
            }
            guard isEntered else { return }
        }
    }

    /// Processes all queued messages; called by the owner of the state.
    @usableFromInline
    func drain(_ state: inout State) {
        while true {
            let batch = takeMessages()
            if batch.isEmpty { return }
            for message in batch { process(&state, message) }
        }
    }

    /// Removes and returns the queued messages; called by the owner of the state.
    @usableFromInline
    func takeMessages() -> [Message] {
        messages.withLock { messages in
            hasMessages.store(false, ordering: .relaxed)
            defer { messages = [] }
            return messages
        }
    }
}

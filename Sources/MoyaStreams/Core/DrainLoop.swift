public import MoyaScheduling
public import Synchronization

/// Serialises access to a state without blocking (R7, R8, R11).
///
/// If the state is busy, because another thread or a caller further up the stack owns it, the message is queued, and
/// the owner processes it before it returns, in the order of arrival. No thread ever waits, so foreign code may run
/// while the state is owned.
@usableFromInline
final class DrainLoop<State: Sendable, Message: Sendable>: Sendable {
    @usableFromInline let state: Locked<State>
    @usableFromInline let process: @Sendable (inout State, Message) -> Void
    @usableFromInline let hasMessages = Atomic<Bool>(false)
    /// Whether a thread owns the state; read first, to skip a try-lock, which costs a system call when it fails.
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

    /// Runs `body` with the state if the state is free and no message is queued; returns whether it did.
    ///
    /// A caller that receives false queues its message behind the others, so that the messages of one thread keep
    /// their order.
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
        // Pairs with the store in `enqueue`: either this thread sees the message, or its sender finds the state free.
        if isEntered, hasMessages.load(ordering: .sequentiallyConsistent) { drainIfIdle() }
        return isEntered
    }

    /// Queues a message, and processes it if the state has become free meanwhile.
    @usableFromInline
    func enqueue(_ message: Message) {
        messages.withLock { $0.append(message) }
        hasMessages.store(true, ordering: .sequentiallyConsistent)
        drainIfIdle()
    }

    /// Processes queued messages as long as there are any and the state is free.
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

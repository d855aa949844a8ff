public import MoyaScheduling
public import Synchronization

/// Serialises access to a state without blocking.
///
/// At any time, at most one method call owns the state. Other calls, on other threads or nested in the owning call,
/// queue their messages and return. The owning call processes the queued messages in the order of arrival before it
/// returns. No thread waits for the state, so closures of the user may run while a call owns the state.
@usableFromInline
final class DrainLoop<State: Sendable, Message: Sendable>: Sendable {
    @usableFromInline let state: Locked<State>
    @usableFromInline let process: @Sendable (inout State, Message) -> Void
    @usableFromInline let hasMessages = Atomic<Bool>(false)
    /// Whether a method call owns the state.
    ///
    /// `tryWithState` reads this flag before it tries the lock, because a failed attempt costs a system call.
    @usableFromInline let isOwned = Atomic<Bool>(false)
    private let messages = Locked<[Message]>([])

    @inlinable
    init(_ state: State, _ process: @escaping @Sendable (inout State, Message) -> Void) {
        self.state = Locked(state)
        self.process = process
    }

    /// Processes a message immediately, or queues it for the call that owns the state.
    @inlinable
    func submit(_ message: Message) {
        if !tryWithState({ state in process(&state, message) }) { enqueue(message) }
    }

    /// Runs `body` with the state and returns true, if no call owns the state and no message is queued.
    ///
    /// Otherwise returns false. The caller must then call `enqueue`.
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
        // Another thread may have queued a message after `drain`, and returned because this thread owned the state.
        // This load sees that message, because the store in `enqueue` is sequentially consistent, too.
        if isEntered, hasMessages.load(ordering: .sequentiallyConsistent) { drainIfIdle() }
        return isEntered
    }

    /// Queues a message, and processes all queued messages if no call owns the state.
    @usableFromInline
    func enqueue(_ message: Message) {
        append(message)
        drainIfIdle()
    }

    /// Queues a message; the caller then calls `drainIfIdle`, unless it owns the state.
    @usableFromInline
    func append(_ message: Message) {
        messages.withLock { $0.append(message) }
        hasMessages.store(true, ordering: .sequentiallyConsistent)
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

    /// Processes all queued messages; called only while the caller owns the state.
    @usableFromInline
    func drain(_ state: inout State) {
        while true {
            let batch = takeMessages()
            if batch.isEmpty { return }
            for message in batch { process(&state, message) }
        }
    }

    /// Removes and returns the queued messages; called only while the caller owns the state.
    @usableFromInline
    func takeMessages() -> [Message] {
        messages.withLock { messages in
            hasMessages.store(false, ordering: .relaxed)
            return exchange(&messages, with: [])
        }
    }
}

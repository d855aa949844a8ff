public import Synchronization

/// Serializes access to a state without blocking, although closures of the user may run meanwhile.
///
/// A message is processed at once, by the call that owns the state, or queued for that call, which processes it before
/// it returns. For states that need no closure of the user under their lock, ``StepQueue`` is the same algorithm at
/// less cost.
///
/// **No message is left behind.** The owner holds the lock of `state`, which is only ever tried. A sender appends its
/// message, sets `hasMessages` *(1)* and tries the lock *(2)*. The owner releases the lock *(3)* and then reads
/// `hasMessages` *(4)*. A message would be left behind only if *(2)* fails because of this owner and *(4)* reads false,
/// that is, if *(2)* takes effect before *(3)* and *(4)* before *(1)*. Then one of the two threads must have reordered
/// its write with its later read. Neither does: *(1)* and *(4)* are sequentially consistent, and a processor orders a
/// release before a sequentially consistent load (on x86, *(1)* and *(3)* are locked instructions, which are full
/// barriers; on ARM, a load-acquire waits for earlier store-releases). The memory model of the language asks for a
/// fence, which would double the cost of each value. `DrainLoopInterleavingTests` explores the interleavings.
@usableFromInline
package final class DrainLoop<State: Sendable, Message: Sendable>: Sendable {
    @usableFromInline let state: Locked<State>
    @usableFromInline let process: @Sendable (inout State, Message) -> Void
    @usableFromInline package let hasMessages = Atomic<Bool>(false)
    /// Read before the lock is tried, because a failed attempt costs a system call.
    @usableFromInline let isOwned = Atomic<Bool>(false)
    private let messages = Locked<[Message]>([])

    @inlinable
    package init(_ state: State, _ process: @escaping @Sendable (inout State, Message) -> Void) {
        self.state = Locked(state)
        self.process = process
    }

    @inlinable
    package func submit(_ message: Message) {
        if !tryWithState({ state in process(&state, message) }) { enqueue(message) }
    }

    // Runs `body` if no call owns the state and no message is queued. If it returns false, the caller must `enqueue`.
    @inlinable
    @inline(__always)
    package func tryWithState(_ body: (inout State) -> Void) -> Bool {
        guard !isOwned.load(ordering: .relaxed), !hasMessages.load(ordering: .relaxed) else { return false }
        let isEntered = state.withLockIfFree { state in
            isOwned.store(true, ordering: .relaxed)
            body(&state)
            if hasMessages.load(ordering: .relaxed) { drain(&state) }
            isOwned.store(false, ordering: .relaxed)
        }
        if isEntered, hasMessages.load(ordering: .sequentiallyConsistent) { drainIfFree() }
        return isEntered
    }

    @usableFromInline
    package func enqueue(_ message: Message) {
        append(message)
        drainIfFree()
    }

    /// Queues a message; the caller then calls `drainIfFree`, unless it owns the state.
    @usableFromInline
    package func append(_ message: Message) {
        messages.withLock { $0.append(message) }
        hasMessages.store(true, ordering: .sequentiallyConsistent)
    }

    @usableFromInline
    package func drainIfFree() {
        while hasMessages.load(ordering: .sequentiallyConsistent) {
            let isEntered = state.withLockIfFree { state in
                isOwned.store(true, ordering: .relaxed)
                drain(&state)
                isOwned.store(false, ordering: .relaxed)
            }
            guard isEntered else { return }
        }
    }

    /// Processes all queued messages; the caller owns the state.
    @usableFromInline
    package func drain(_ state: inout State) {
        var batch: [Message] = []
        while true {
            messages.withLock { messages in
                hasMessages.store(false, ordering: .relaxed)
                swap(&messages, &batch)
            }
            if batch.isEmpty { return }
            for message in batch { process(&state, message) }
            batch.removeAll(keepingCapacity: batch.count <= 64)
        }
    }
}

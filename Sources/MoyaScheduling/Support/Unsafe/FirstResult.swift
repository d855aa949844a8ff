// Resumes the waiting task with the first of several values, set before or after it waits. Callable from any thread.
@usableFromInline
package final class FirstResult<Value: Sendable>: Sendable {
    // An `UnsafeContinuation` is used, because a `CheckedContinuation` would need an allocation for each wait.
    // SAFETY: each continuation is resumed exactly once, as `FirstResultTests` verifies. `set(_:)` resumes a stored
    // continuation when the state changes from `waiting` to `finished`, which happens once. `value(isolation:)` resumes
    // a continuation that it does not store.
    @safe
    @usableFromInline
    enum State: Sendable {
        case pending
        case waiting(UnsafeContinuation<Void, Never>)
        case finished(Value)
    }

    @usableFromInline let state = Locked(State.pending)

    @inlinable
    package init() {}

    @inlinable
    package func set(_ value: Value) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            defer { state = .finished(value) }
            return state
        }
        if case .waiting(let continuation) = former { unsafe continuation.resume() }
    }

    @inlinable
    package var current: Value? {
        state.withLock { if case .finished(let value) = $0 { value } else { nil } }
    }

    /// Waits for the value; only one task may wait.
    @inlinable
    package func value(isolation: isolated (any Actor)? = #isolation) async -> Value {
        while true {
            if let current { return current }
            await unsafe withUnsafeContinuation { continuation in
                let isFinished = state.withLock { state in
                    if case .finished = state { return true }
                    if case .waiting = state { assertionFailure("two tasks wait for one FirstResult") }
                    state = unsafe .waiting(continuation)
                    return false
                }
                if isFinished { unsafe continuation.resume() }
            }
        }
    }
}

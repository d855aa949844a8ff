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
        case waiting(UnsafeContinuation<Value, Never>)
        case finished(Value)
    }

    @usableFromInline let state = Locked(State.pending)

    @inlinable
    package init() {}

    @inlinable
    package func set(_ value: Value) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            return exchange(&state, with: .finished(value))
        }
        if case .waiting(let continuation) = former { unsafe continuation.resume(returning: value) }
    }

    @inlinable
    package var current: Value? {
        state.withLock { if case .finished(let value) = $0 { value } else { nil } }
    }

    /// Waits for the value; only one task may wait.
    @inlinable
    package func value(isolation: isolated (any Actor)? = #isolation) async -> Value {
        await unsafe withUnsafeContinuation { continuation in
            let finished = state.withLock { state -> Value? in
                if case .finished(let value) = state { return value }
                if case .waiting = state { assertionFailure("two tasks wait for one FirstResult") }
                state = unsafe .waiting(continuation)
                return nil
            }
            if let finished { unsafe continuation.resume(returning: finished) }
        }
    }
}

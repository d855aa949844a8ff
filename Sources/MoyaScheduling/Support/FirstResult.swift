/// Stores the first of several values, and resumes the task that waits for it.
///
/// The value may be set before or after the task waits. All members may be called from any thread.
@usableFromInline
package final class FirstResult<Value: Sendable>: Sendable {
    @usableFromInline
    enum State: Sendable {
        case pending
        case waiting(CheckedContinuation<Value, Never>)
        case finished(Value)
    }

    @usableFromInline let state = Locked(State.pending)

    @inlinable
    package init() {}

    /// Sets the value unless one was set before, and resumes the waiting task, if there is one.
    @inlinable
    package func set(_ value: Value) {
        let former = state.withLock { state in
            if case .finished = state { return state }
            defer { state = .finished(value) }
            return state
        }
        if case .waiting(let continuation) = former { continuation.resume(returning: value) }
    }

    /// The value; `nil` until one is set.
    @inlinable
    package var current: Value? {
        state.withLock { if case .finished(let value) = $0 { value } else { nil } }
    }

    /// Waits for the value; called at most once.
    ///
    /// Does not suspend if the value was already set.
    @inlinable
    package func value(isolation: isolated (any Actor)? = #isolation) async -> Value {
        if let current { return current }
        return await withCheckedContinuation { continuation in
            let former = state.withLock { state in
                if case .finished = state { return state }
                defer { state = .waiting(continuation) }
                return state
            }
            if case .finished(let value) = former { continuation.resume(returning: value) }
        }
    }
}

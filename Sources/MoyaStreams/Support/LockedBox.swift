public import MoyaScheduling

/// A value that is protected by a lock, such as the state of one subscription.
@usableFromInline
final class LockedBox<Value: Sendable>: Sendable {
    @usableFromInline let storage: Locked<Value>

    @inlinable
    init(_ value: Value) {
        storage = Locked(value)
    }

    @inlinable var value: Value {
        get { storage.withLock { $0 } }
        set { _ = exchange(newValue) }
    }

    /// Replaces the value and returns the former value, which the caller releases outside the lock.
    @inlinable
    func exchange(_ value: Value) -> Value {
        change { current in
            defer { current = value }
            return current
        }
    }

    /// Changes the value in place, or does nothing if the lock is held.
    ///
    /// This method never waits for the lock, so `body` may call closures of the user. `body` itself must not use this
    /// box, because the lock is not recursive.
    @inlinable
    @inline(__always)
    func use(_ body: (inout Value) -> Void) {
        _ = storage.withLockIfFree(body)
    }

    /// Changes the value in place under the lock, and waits if the lock is held.
    ///
    /// `body` must not call a closure of the user or release a value, because a closure or a deinitialiser could use
    /// this box again. The lock is not recursive.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

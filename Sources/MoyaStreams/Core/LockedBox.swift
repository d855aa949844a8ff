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
    /// Call this method if `body` may run user code, such as the deinitialiser of a value. If that code uses this box
    /// again, `use` returns immediately, whereas the other methods would wait for the lock forever.
    @inlinable
    @inline(__always)
    func use(_ body: (inout Value) -> Void) {
        _ = storage.withLockIfFree(body)
    }

    /// Changes the value in place under the lock, and waits if the lock is held.
    ///
    /// `body` must not call a closure of the user or release a value: if the closure or a deinitialiser uses this box
    /// again, the thread waits for the lock forever.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

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
    /// `body` may call closures of the user, because no thread waits for `body`. The lock is not recursive: `body` must
    /// not use this box.
    @inlinable
    @inline(__always)
    func use(_ body: (inout Value) -> Void) {
        _ = storage.withLockIfFree(body)
    }

    /// Changes the value under the lock, which is not recursive.
    ///
    /// Code of the user could use this box again. Therefore, `body` must not call a closure of the user and must not
    /// release a value, whose deinitialiser may be code of the user.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

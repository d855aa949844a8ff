public import MoyaScheduling

/// A value that is protected by a lock, such as the state of one subscription.
///
/// The lock of a subscription's state is never contended, because one thread at a time calls the observer's `next`.
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

    /// Changes the value in place; `body` may call closures of the user.
    ///
    /// Does nothing if the lock is held, so that no thread waits for a closure of the user. `body` must call no other
    /// member of this box, because the lock is not recursive.
    @inlinable
    @inline(__always)
    func use(_ body: (inout Value) -> Void) {
        _ = storage.withLockIfFree(body)
    }

    /// Changes the value under the lock.
    ///
    /// `body` must not call a closure of the user, because that closure could use this box again, and the lock is not
    /// recursive. For the same reason, `body` must not release a value: the deinitialiser of the value may be code of
    /// the user.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

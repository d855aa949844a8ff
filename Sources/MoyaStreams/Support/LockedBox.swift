public import Moya

/// A value of one subscription: used by one thread at a time, as `next` is.
@usableFromInline
final class LockedBox<Value: Sendable>: Sendable {
    @usableFromInline let storage: Guarded<Value>

    @inlinable
    init(_ value: Value) {
        storage = Guarded(value)
    }

    @inlinable var value: Value {
        get { storage.withLock { $0 } }
        set { _ = exchange(newValue) }
    }

    /// The value before; it is the caller's to release.
    @inlinable
    func exchange(_ value: Value) -> Value {
        change { current in
            defer { current = value }
            return current
        }
    }

    /// Changes the value in coordinator by foreign code.
    ///
    /// The lock is only tried, so that nobody waits for it (R11): what is used so is used in no other way until its end.
    @inlinable
    @inline(__always)
    func use(_ body: (inout Value) -> Void) {
        _ = storage.withLockIfFree(body)
    }

    /// Changes the value in coordinator; `body` is not foreign code, and lets go of nothing.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

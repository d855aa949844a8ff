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
    func exchange(_ value: Value) -> Value { change { Swift.exchange(&$0, with: value) } }

    /// Changes the value in place; as in ``Locked``, `body` runs no code of the user.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

@usableFromInline
final class LockedBox<Value: Sendable>: Sendable {
    @usableFromInline let storage: Locked<Value>

    @inlinable
    init(_ value: Value) {
        storage = Locked(value)
    }

    /// Changes the value in place; as in ``Locked``, `body` runs no code of the user.
    @inlinable
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
        storage.withLock { body(&$0) }
    }
}

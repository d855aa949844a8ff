import Moya

/// A value of one subscription: used by one thread at a time, as `next` is, and never copied under a lock that runs foreign
/// code.
final class Slot<Value: Sendable>: Sendable {
    private let storage: Guarded<Value>

    init(_ value: Value) {
        storage = Guarded(value)
    }

    var value: Value {
        get { storage.withLock { $0 } }
        set { _ = exchange(newValue) }
    }

    /// The value before; it is the caller's to release.
    func exchange(_ value: Value) -> Value {
        storage.withLock { current in
            defer { current = value }
            return current
        }
    }
}

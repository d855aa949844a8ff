/// A cancellable without an effect, for an operation that cannot be cancelled or has ended already.
public struct NoOpCancellable: Cancellable {
    /// Always `false`.
    public var isCancelled: Bool { false }

    /// Creates a cancellable without an effect.
    public init() {}

    /// Does nothing.
    public func cancel() {}
}

extension Cancellable where Self == NoOpCancellable {
    /// A cancellable whose `cancel()` does nothing.
    public static var noOp: NoOpCancellable { NoOpCancellable() }
}

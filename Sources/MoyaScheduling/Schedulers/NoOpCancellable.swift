/// A token of work that cannot be cancelled, or has ended already.
public struct NoOpCancellable: Cancellable {
    /// `false`.
    public var isCancelled: Bool { false }

    /// A token.
    public init() {}

    /// Does nothing.
    public func cancel() {}
}

extension Cancellable where Self == NoOpCancellable {
    /// A token whose `cancel` does nothing.
    public static var noOp: NoOpCancellable { NoOpCancellable() }
}

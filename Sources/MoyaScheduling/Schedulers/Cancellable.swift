/// An operation that can be cancelled, such as a request, a subscription or scheduled work.
public protocol Cancellable: Sendable {
    /// Whether ``cancel()`` was called before the operation ended.
    var isCancelled: Bool { get }

    /// Cancels the operation.
    ///
    /// May be called from any thread and any number of times; does nothing after the operation has ended.
    func cancel()
}

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

package struct TaskCancellable: Cancellable {
    private let task: Task<Void, Never>

    package init(task: Task<Void, Never>) {
        self.task = task
    }

    package var isCancelled: Bool { task.isCancelled }

    package func cancel() { task.cancel() }
}

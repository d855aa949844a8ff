/// An operation that can be cancelled, such as a request, a subscription or scheduled work.
public protocol Cancellable: Sendable {
    /// Whether ``cancel()`` was called before the operation ended.
    var isCancelled: Bool { get }

    /// Cancels the operation.
    ///
    /// May be called from any thread and any number of times; does nothing after the operation has ended.
    func cancel()
}

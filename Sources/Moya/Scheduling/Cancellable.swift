/// Something that can be called off: a request, a subscription, scheduled work.
public protocol Cancellable: Sendable {
    /// Whether ``cancel()`` was called before the end.
    var isCancelled: Bool { get }

    /// Calls it off. May be called from any thread and any number of times; after the end it does nothing.
    func cancel()
}

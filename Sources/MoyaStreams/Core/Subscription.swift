/// A handle that can cancel one subscription.
///
/// Releasing the handle does not cancel: the stream runs until it ends or ``cancel()`` is called.
public struct Subscription: Cancellable {
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(lifetime: Lifetime) {
        self.lifetime = lifetime
    }

    /// Whether the subscription was cancelled before the stream ended.
    public var isCancelled: Bool { lifetime.isCancelled }

    /// Stops the stream and releases its resources, without sending a terminal event.
    ///
    /// If another thread is delivering an event, this method does not wait: the callback for that event may start or
    /// run after `cancel()` has returned. No later event is delivered. If `cancel()` is called on the delivering
    /// thread, no further callback of the subscriber starts.
    public func cancel() { lifetime.cancel() }
}

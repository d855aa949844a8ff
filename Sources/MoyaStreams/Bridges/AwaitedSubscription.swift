import MoyaScheduling

/// A subscription whose events a task waits for.
///
/// The stream retains the subscription, this object does not. If the stream releases it without an end, nothing can be
/// sent any more, and `onEnd` is called, so that the task does not wait forever.
@usableFromInline
final class AwaitedSubscription: Sendable {
    private let lifetime: Weak<Lifetime>
    /// Retains the lifetime until the stream does.
    private let unsubscribed: Locked<Lifetime?>

    /// Creates a subscription.
    ///
    /// - Parameter onEnd: called once, with the error of the stream, or with `nil` when it completes or can send no
    ///   more events; not called after a cancel.
    @usableFromInline
    init(onEnd: @escaping @Sendable ((any Error)?) -> Void) {
        let lifetime = Lifetime(.callWhenReleased(onEnd))
        self.lifetime = Weak(lifetime)
        unsubscribed = Locked(lifetime)
    }

    @usableFromInline
    func start(_ subscribe: (Lifetime) -> Void) {
        if let lifetime = unsubscribed.withLock({ $0 }) { subscribe(lifetime) }
        let started = unsubscribed.withLock { exchange(&$0, with: nil) }
        withExtendedLifetime(started) {}
    }

    @usableFromInline
    func cancel() {
        lifetime.object?.cancel()
    }
}

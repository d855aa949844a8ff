// A subscription whose events a task waits for. The stream retains it, this object doesn't. If the stream releases it
// without an end, `onEnd` is called, so that the task doesn't wait forever.
@usableFromInline
final class AwaitedSubscription: Sendable {
    private let lifetime: Weak<Lifetime>
    /// Retains the lifetime until the stream does.
    private let unsubscribed: Locked<Lifetime?>

    /// - Parameter onEnd: called once, with the error, or `nil` if no more events can come; not after a cancel.
    @usableFromInline
    init(onEnd: @escaping @Sendable ((any Error)?) -> Void) {
        let lifetime = Lifetime(.callWhenReleased(onEnd))
        self.lifetime = Weak(lifetime)
        unsubscribed = Locked(lifetime)
    }

    @usableFromInline
    func start(_ subscribe: (Lifetime) -> Void) {
        if let lifetime = unsubscribed.withLock({ $0.take() }) { subscribe(lifetime) }
    }

    @usableFromInline
    func cancel() {
        lifetime.object?.cancel()
    }
}

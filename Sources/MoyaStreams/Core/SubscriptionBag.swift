/// A collection of subscriptions that are cancelled together, when the bag is cancelled or released.
///
/// The subscriptions are cancelled in the order of insertion. A bag does not retain subscriptions that have ended.
public final class SubscriptionBag: Cancellable {
    private let lifetime = Lifetime { _ in }

    /// Creates an empty bag.
    public init() {}

    deinit { cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { lifetime.isCancelled }

    /// Adds a subscription, or the token of a request or a timer; a bag that was cancelled cancels it immediately.
    ///
    /// The bag retains the token of a request or a timer until the bag is cancelled or released, because such a token
    /// does not report its end.
    public func insert(_ token: any Cancellable) {
        let entry = Lifetime(in: lifetime, .call { _ in }, onUnobservedEnd: { token.cancel() })
        (token as? Subscription)?.lifetime.onEnd { entry.finish() }
    }

    /// Cancels all subscriptions, including those that are inserted later.
    public func cancel() { lifetime.cancel() }
}

extension Cancellable {
    /// Adds a subscription or another token to a bag, which cancels it when the bag is cancelled or released.
    public func store(in bag: SubscriptionBag) { bag.insert(self) }
}

public import MoyaScheduling

/// A collection of subscriptions that are cancelled together, when the bag is cancelled or released.
///
/// The subscriptions are cancelled in the order of insertion. A bag does not retain subscriptions that have ended.
public final class SubscriptionBag: Cancellable {
    private struct State: Sendable {
        /// The subscriptions that have not ended; `nil` after `cancel()`.
        var lifetimes: [(id: UInt64, lifetime: Lifetime)]? = []
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Creates an empty bag.
    public init() {}

    deinit { cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.lifetimes == nil } }

    /// Adds a subscription; a bag that was cancelled cancels the subscription immediately.
    public func insert(_ subscription: Subscription) {
        let lifetime = subscription.lifetime
        let id = state.withLock { state -> UInt64? in
            guard state.lifetimes != nil else { return nil }
            state.lastID += 1
            state.lifetimes?.append((state.lastID, lifetime))
            return state.lastID
        }
        guard let id else { return lifetime.cancel() }
        lifetime.onEnd { [weak self] in self?.remove(id) }
    }

    /// Cancels all subscriptions, including those that are inserted later.
    public func cancel() {
        let lifetimes = state.withLock { exchange(&$0.lifetimes, with: nil) }
        for (_, lifetime) in lifetimes ?? [] { lifetime.cancel() }
    }

    private func remove(_ id: UInt64) {
        // The removed element is returned, so that it is released outside the lock.
        _ = state.withLock { state in
            state.lifetimes?.firstIndex { $0.id == id }.map { state.lifetimes?.remove(at: $0) }
        }
    }
}

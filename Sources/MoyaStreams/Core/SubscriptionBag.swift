/// A collection of subscriptions that are cancelled together, when the bag is cancelled or released.
///
/// The subscriptions are cancelled in the order of insertion. A bag does not retain subscriptions that have ended.
public final class SubscriptionBag: Cancellable {
    private struct State: Sendable {
        /// The tokens by their IDs, except subscriptions that have ended; `nil` after `cancel()`.
        var tokens: [UInt64: any Cancellable]? = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Creates an empty bag.
    public init() {}

    deinit { cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.tokens == nil } }

    /// Adds a subscription, or the token of a request or a timer; a bag that was cancelled cancels it immediately.
    ///
    /// The bag retains the token of a request or a timer until the bag is cancelled or released, because such a token
    /// does not report its end.
    public func insert(_ token: any Cancellable) {
        let id = state.withLock { state -> UInt64? in
            guard state.tokens != nil else { return nil }
            state.lastID += 1
            state.tokens?[state.lastID] = token
            return state.lastID
        }
        guard let id else { return token.cancel() }
        (token as? Subscription)?.lifetime.onEnd { [weak self] in self?.remove(id) }
    }

    /// Cancels all subscriptions, including those that are inserted later.
    public func cancel() {
        let tokens = state.withLock { exchange(&$0.tokens, with: nil) }
        for (_, token) in (tokens ?? [:]).sorted(by: { $0.key < $1.key }) { token.cancel() }
    }

    private func remove(_ id: UInt64) {
        // The removed element is returned, so that it is released outside the lock.
        _ = state.withLock { $0.tokens?.removeValue(forKey: id) }
    }
}

extension Cancellable {
    /// Adds the token of a request or a timer to a bag, which cancels it when the bag is cancelled or released.
    public func store(in bag: SubscriptionBag) { bag.insert(self) }
}

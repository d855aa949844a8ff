public import MoyaScheduling

/// A collection of subscriptions that are cancelled together, when the bag is cancelled or released.
///
/// The subscriptions are cancelled in the order of insertion. A bag does not retain subscriptions that have ended.
public final class SubscriptionBag: Cancellable {
    private struct State: Sendable {
        /// The subscriptions that have not ended; `nil` after `cancel()`.
        var lifetimes: [(id: UInt64, lifetime: Lifetime)]? = []
        /// The tokens of requests and timers, which do not report their end.
        var tokens: [any Cancellable] = []
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

    /// Adds the token of a request or a timer; a bag that was cancelled cancels it immediately.
    ///
    /// The bag retains the token until the bag is cancelled or released, because a token does not report its end.
    public func insert(_ token: any Cancellable) {
        let isCancelled = state.withLock { state in
            if state.lifetimes != nil { state.tokens.append(token) }
            return state.lifetimes == nil
        }
        if isCancelled { token.cancel() }
    }

    /// Cancels all subscriptions, including those that are inserted later.
    public func cancel() {
        let (lifetimes, tokens) = state.withLock { state in
            (exchange(&state.lifetimes, with: nil), exchange(&state.tokens, with: []))
        }
        for (_, lifetime) in lifetimes ?? [] { lifetime.cancel() }
        for token in tokens { token.cancel() }
    }

    private func remove(_ id: UInt64) {
        // The removed element is returned, so that it is released outside the lock.
        _ = state.withLock { state in
            state.lifetimes?.firstIndex { $0.id == id }.map { state.lifetimes?.remove(at: $0) }
        }
    }
}

extension Cancellable {
    /// Adds the token of a request or a timer to a bag, which cancels it when the bag is cancelled or released.
    public func store(in bag: SubscriptionBag) { bag.insert(self) }
}

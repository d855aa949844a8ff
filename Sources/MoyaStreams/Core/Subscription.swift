public import MoyaScheduling

/// One running subscription.
///
/// Dropping it changes nothing: the stream goes on until it ends or ``cancel()`` is called.
public struct Subscription: Cancellable {
    let lifetime: Lifetime

    /// Whether it was cancelled before the stream ended.
    public var isCancelled: Bool { lifetime.isCancelled }

    /// Stops the stream and releases all that it holds.
    ///
    /// Does not wait for another thread that is delivering an event: the callback of that one event may run, or even start,
    /// while `cancel()` returns. No later event is delivered. On the delivering thread nothing is delivered afterwards.
    /// Cancelling produces no event.
    public func cancel() {
        lifetime.cancel()
    }

    /// Lets `bag` cancel it at the bag's own end.
    public func store(in bag: SubscriptionBag) {
        bag.insert(self)
    }
}

/// Subscriptions that are cancelled together, when the bag goes away or is told so.
///
/// They are cancelled in the order of insertion. A bag forgets subscriptions that have ended.
public final class SubscriptionBag: Cancellable {
    private struct State: Sendable {
        var lifetimes: [(id: UInt64, lifetime: Lifetime)] = []
        var lastID: UInt64 = 0
        var isCancelled = false
    }

    private let state = Locked(State())

    /// An empty bag.
    public init() {}

    deinit { cancel() }

    /// Whether ``cancel()`` was called.
    public var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Takes a subscription in; a bag that was cancelled cancels it at once.
    public func insert(_ subscription: Subscription) {
        let lifetime = subscription.lifetime
        let id = state.withLock { state -> UInt64? in
            guard !state.isCancelled else { return nil }
            state.lastID += 1
            state.lifetimes.append((state.lastID, lifetime))
            return state.lastID
        }
        guard let id else { return lifetime.cancel() }
        lifetime.onEnd { [weak self] in self?.forget(id) }
    }

    /// Cancels all subscriptions, and those that are inserted from now on.
    public func cancel() {
        let lifetimes = state.withLock { state in
            state.isCancelled = true
            defer { state.lifetimes = [] }
            return state.lifetimes
        }
        for (_, lifetime) in lifetimes { lifetime.cancel() }
    }

    private func forget(_ id: UInt64) {
        let forgotten = state.withLock { state in
            state.lifetimes.firstIndex { $0.id == id }.map { state.lifetimes.remove(at: $0) }
        }
        _ = forgotten
    }
}

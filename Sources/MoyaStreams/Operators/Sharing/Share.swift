/// How long subscribers share one subscription to the source of a shared stream.
public enum ShareScope: Sendable, Hashable {
    /// Sharing ends when the last subscriber cancels or the source ends. A later subscriber starts the source again.
    case whileSubscribed
    /// Sharing ends only when the source ends, even if all subscribers cancel earlier.
    ///
    /// A subscriber that arrives after the source has ended starts the source again.
    case untilTermination
    /// Sharing never ends: the source is started only once.
    ///
    /// A subscriber that arrives after the source has ended receives the replayed values and the terminal event.
    case forever
}

extension Subscribable {
    /// Shares one subscription to the source among all subscribers; the first subscriber starts the source.
    ///
    /// ```text
    /// source:            a--b--c|
    /// share(), first:    a--b--c|
    /// share(), second:     -b--c|      (subscribed between a and b)
    /// ```
    /// A run is one subscription to the source. What a later subscriber receives depends on `scope`:
    ///
    /// | when | `.whileSubscribed` | `.untilTermination` | `.forever` |
    /// | --- | --- | --- | --- |
    /// | others are subscribed | replayed, then new values | replayed, then new values | replayed, then new values |
    /// | all subscribers have cancelled | a new run | replayed, then new values | replayed, then new values |
    /// | the source has completed | a new run | a new run | replayed values, then completion |
    /// | the source has failed | a new run | a new run | replayed values, then the error |
    ///
    /// With `.whileSubscribed`, the source is cancelled when the last subscriber cancels, and a new run starts only
    /// after that cancel has returned. With the other scopes, the source is never cancelled. If the source lets go of
    /// its observer without ending, a later subscriber still belongs to the run and receives the replayed values.
    /// Replayed values are delivered before newer values. Buffers the replayed values.
    ///
    /// ```swift
    /// let user = provider.request(.user).map(User.self).share(replay: .latest(1), scope: .forever)
    /// ```
    /// - Parameters:
    ///   - replay: which earlier values a new subscriber receives first.
    ///   - scope: how long the subscribers share one run of the source.
    @inlinable
    public func share(replay: ReplayPolicy = .none, scope: ShareScope = .whileSubscribed) -> Observable<Element> {
        let coordinator = ShareRefCount<Element>(replay: replay, scope: scope)
        return Observable(run: { [source = observable] observer in
            let (run, isNew) = coordinator.addSubscriber()
            run.signal.observable.run(observer)
            observer.lifetime.onEnd { coordinator.removeSubscriber(from: run) }
            guard isNew else { return }
            let emitter = run.signal.makeEmitter()
            coordinator.start {
                let connection = Lifetime(in: run.connection) { error in
                    coordinator.end(run)
                    emitter.end(error)
                }
                source.run(Observer(connection, next: emitter.post))
            }
        })
    }
}

// Assigns subscribers to runs of the source, and counts them. Doesn't retain the source, which retains this object.
@usableFromInline
final class ShareRefCount<Element: Sendable>: Sendable {
    // The signal releases its observers, but not the replayed values, when the source releases its own observer without
    // ending. The connection is the parent of the source's lifetime; cancelling it cancels the source.
    @usableFromInline typealias Run = (signal: Signal<Element>, connection: Lifetime)

    private struct State: Sendable {
        var run: Run?
        var subscribers = 0
        /// The number of runs whose cancel has not returned yet.
        var cancelling = 0
        /// Starts the latest run; it waits until the earlier runs are cancelled.
        var waitingStart: (@Sendable () -> Void)?
    }

    private let replay: ReplayPolicy
    private let scope: ShareScope
    private let state = Locked(State())

    @usableFromInline
    init(replay: ReplayPolicy, scope: ShareScope) {
        self.replay = replay
        self.scope = scope
    }

    @usableFromInline
    func addSubscriber() -> (run: Run, isNew: Bool) {
        state.withLock { state in
            state.subscribers += 1
            if let run = state.run { return (run, false) }
            let run: Run = (Signal(limit: replay.limit), Lifetime { _ in })
            state.run = run
            return (run, true)
        }
    }

    @usableFromInline
    func start(_ body: @escaping @Sendable () -> Void) {
        let replaced = state.withLock { state -> (@Sendable () -> Void)?? in
            guard state.cancelling > 0 else { return nil }
            return .some(exchange(&state.waitingStart, with: body))
        }
        if replaced == nil { body() }
    }

    @usableFromInline
    func removeSubscriber(from run: Run) {
        let isIdle = state.withLock { state in
            guard state.run?.signal === run.signal else { return false }
            state.subscribers -= 1
            guard state.subscribers == 0, scope == .whileSubscribed else { return false }
            state.run = nil
            state.cancelling += 1
            return true
        }
        guard isIdle else { return }
        run.connection.cancel()
        let start = state.withLock { state in
            state.cancelling -= 1
            return state.cancelling == 0 ? exchange(&state.waitingStart, with: nil) : nil
        }
        start?()
    }

    @usableFromInline
    func end(_ run: Run) {
        state.withLock { state in
            guard scope != .forever, state.run?.signal === run.signal else { return }
            state.run = nil
            state.subscribers = 0
        }
    }
}

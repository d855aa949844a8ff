import MoyaScheduling

/// How long one run of a shared stream serves its subscribers.
public enum ShareScope: Sendable, Hashable {
    /// Until the last subscriber has gone, or the source has ended; a later subscriber starts the source again.
    case whileSubscribed
    /// Until the source has ended; it keeps running without subscribers.
    case finished
    /// Always; a subscriber that comes after the end gets the replayed values and the end.
    case forever
}

extension Subscribable {
    /// One run of the source for all subscribers: the first one starts it.
    ///
    /// ```text
    /// source:            a--b--c|
    /// share(), first:    a--b--c|
    /// share(), second:     -b--c|      (from 2 ms on)
    /// ```
    /// What a later subscriber sees, by `scope`:
    ///
    /// | when | `.whileSubscribed` | `.untilTermination` | `.forever` |
    /// | --- | --- | --- | --- |
    /// | there are other subscribers | the replayed values, then new ones | the same | the same |
    /// | all subscribers have gone | a new run | the replayed values, then new ones | the same |
    /// | the source has dropped its observer without an end | a new run | the replayed values, and nothing more | the same |
    /// | the source has completed | a new run | a new run | the replayed values, then completion |
    /// | the source has failed | a new run | a new run | the replayed values, then the error |
    ///
    /// With `.whileSubscribed` the last subscriber that goes cancels the source; otherwise it is never cancelled. Replayed values
    /// come before newer ones. Buffers the replayed values.
    ///
    /// ```swift
    /// let user = provider.request(.user).map(User.self).share(replay: .latest(1), scope: .forever)
    /// ```
    /// - Parameters:
    ///   - replay: which values a later subscriber gets first.
    ///   - scope: how long one run serves.
    @inlinable
    public func share(replay: ReplayPolicy = .none, scope: ShareScope = .whileSubscribed) -> Observable<Element> {
        let coordinator = ShareCoordinator<Element>(replay: replay, scope: scope)
        return Observable(run: { [source = observable] observer in
            let (run, signal, isNew) = coordinator.enter()
            if let signal { signal.observable.run(observer) } else { run.replay(to: observer) }
            observer.lifetime.onEnd { coordinator.leave(run) }
            guard isNew, let emitter = signal?.emitter else { return }
            let connection = Lifetime(in: run.connection) { error in
                coordinator.end(run)
                emitter.end(error)
            }
            source.run(Observer(connection, next: emitter.post))
        })
    }
}

/// One run of a shared source, and the signal that delivers its events.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
    private struct Signals: Sendable {
        /// Retained by the source alone: when that is dropped without an end, so are the subscribers (R21).
        let open: Weak<Signal<Element>>
        var ended: Signal<Element>?
    }

    /// Retained here, because it is needed after a source has dropped the signal.
    private let replayBuffer: ReplayBuffer<Element>?

    /// Cancels the run, also when the source has dropped its observer.
    @usableFromInline let connection = Lifetime { _ in }
    private let signals: Locked<Signals>

    init(_ signal: Signal<Element>) {
        replayBuffer = signal.replayBuffer
        signals = Locked(Signals(open: Weak(signal)))
    }

    /// `nil` when the source was dropped without an end.
    var signal: Signal<Element>? { signals.withLock { $0.ended ?? $0.open.object } }

    /// Sends the replayed values of a run whose source was dropped; nothing follows them.
    @usableFromInline
    func replay(to observer: Observer<Element>) {
        for element in replayBuffer?.elements ?? [] { observer.send(element) }
    }

    func keep() {
        signals.withLock { $0.ended = $0.open.object }
    }
}

/// Assigns subscribers to runs.
///
/// It has no reference to the source, which subscribers must not retain.
@usableFromInline
final class ShareCoordinator<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var run: SharedConnection<Element>?
        var listeners = 0
    }

    private let replay: ReplayPolicy
    private let scope: ShareScope
    private let state = Locked(State())

    @usableFromInline
    init(replay: ReplayPolicy, scope: ShareScope) {
        self.replay = replay
        self.scope = scope
    }

    /// Returns the run to subscribe to, and whether it must be started.
    @usableFromInline
    func enter() -> (run: SharedConnection<Element>, signal: Signal<Element>?, isNew: Bool) {
        let (entered, dropped) = state.withLock { state -> (Entered, SharedConnection<Element>?) in
            state.listeners += 1
            if let run = state.run {
                let signal = run.signal
                if signal != nil || scope != .whileSubscribed { return ((run, signal, false), nil) }
                // The source was dropped, and its subscribers with it.
                state.listeners = 1
            }
            let signal = Signal<Element>.pipe(replay: replay).signal
            let run = SharedConnection(signal)
            defer { state.run = run }
            return ((run, signal, true), state.run)
        }
        // Its teardowns run outside the lock.
        dropped?.connection.cancel()
        return entered
    }

    private typealias Entered = (run: SharedConnection<Element>, signal: Signal<Element>?, isNew: Bool)

    @usableFromInline
    func leave(_ run: SharedConnection<Element>) {
        let isIdle = state.withLock { state in
            guard state.run === run else { return false }
            state.listeners -= 1
            guard state.listeners == 0, scope == .whileSubscribed else { return false }
            state.run = nil
            return true
        }
        if isIdle { run.connection.cancel() }
    }

    @usableFromInline
    func end(_ run: SharedConnection<Element>) {
        if scope == .forever { return run.keep() }
        state.withLock { state in
            guard state.run === run else { return }
            state = State()
        }
    }
}

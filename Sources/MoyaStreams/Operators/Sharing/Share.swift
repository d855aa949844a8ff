import Moya

/// How long the one run of a shared stream serves those who subscribe.
public enum ShareScope: Sendable, Hashable {
    /// Until nobody listens any more, or it has ended: who comes later starts the work anew.
    case whileSubscribed
    /// Until it has ended: it goes on while nobody listens.
    case finished
    /// Always: who comes after the end gets what is replayed, and the end.
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
    /// What somebody sees who subscribes later, by `scope`:
    ///
    /// | when | `.whileSubscribed` | `.finished` | `.forever` |
    /// | --- | --- | --- | --- |
    /// | others listen | what is replayed, then what comes | the same | the same |
    /// | nobody listens any more | a new run | what is replayed, then what comes | the same |
    /// | the source has dropped its observer without an end | a new run | what is replayed, and nothing more | the same |
    /// | the source has completed | a new run | a new run | what is replayed, then completion |
    /// | the source has failed | a new run | a new run | what is replayed, then the error |
    ///
    /// The last one to leave cancels the source with `.whileSubscribed`; otherwise nobody does. Replayed values come before
    /// any newer one. Buffers what is replayed.
    ///
    /// ```swift
    /// let user = provider.request(.user).map(User.self).share(replay: .latest(1), scope: .forever)
    /// ```
    /// - Parameters:
    ///   - replay: what a late subscriber is given first.
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

/// One run of a shared source.
@usableFromInline
final class SharedConnection<Element: Sendable>: Sendable {
    private struct Signals: Sendable {
        /// Retained by the source alone: when that is dropped without an end, so are the subscribers (R21).
        let open: Weak<Signal<Element>>
        var ended: Signal<Element>?
    }

    /// Outlives the signal of a source that was dropped.
    private let replayBuffer: ReplayBuffer<Element>?

    /// Ends the run, also when the source has let go of its observer.
    @usableFromInline let connection = Lifetime { _ in }
    private let signals: Guarded<Signals>

    init(_ signal: Signal<Element>) {
        replayBuffer = signal.replayBuffer
        signals = Guarded(Signals(open: Weak(signal)))
    }

    /// `nil` when the source was dropped without an end.
    var signal: Signal<Element>? { signals.withLock { $0.ended ?? $0.open.object } }

    /// What a subscriber sees of a run whose source was dropped: nothing comes after what is replayed.
    @usableFromInline
    func replay(to observer: Observer<Element>) {
        for element in replayBuffer?.elements ?? [] { observer.send(element) }
    }

    func keep() {
        signals.withLock { $0.ended = $0.open.object }
    }
}

/// Who takes part in which run.
///
/// It does not know the source, which those who listen must not keep.
@usableFromInline
final class ShareCoordinator<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var run: SharedConnection<Element>?
        var listeners = 0
    }

    private let replay: ReplayPolicy
    private let scope: ShareScope
    private let state = Guarded(State())

    @usableFromInline
    init(replay: ReplayPolicy, scope: ShareScope) {
        self.replay = replay
        self.scope = scope
    }

    /// The run to listen to, and whether it has to be started.
    @usableFromInline
    func enter() -> (run: SharedConnection<Element>, signal: Signal<Element>?, isNew: Bool) {
        state.withLock { state in
            state.listeners += 1
            if let run = state.run {
                let signal = run.signal
                if signal != nil || scope != .whileSubscribed { return (run, signal, false) }
                // Its source was dropped, and took the subscribers along: nobody is left.
                state.listeners = 1
            }
            let signal = Signal<Element>.pipe(replay: replay).signal
            let run = SharedConnection(signal)
            state.run = run
            return (run, signal, true)
        }
    }

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

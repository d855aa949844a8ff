import Moya

/// How long the one run of a shared stream serves those who subscribe.
public enum ShareLifetime: Sendable, Hashable {
    /// Until nobody listens any more, or it has ended: who comes later starts the work anew.
    case idleOrFinished
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
    /// What somebody sees who subscribes later, by `lifetime`:
    ///
    /// | when | `.idleOrFinished` | `.finished` | `.forever` |
    /// | --- | --- | --- | --- |
    /// | others listen | what is replayed, then what comes | the same | the same |
    /// | nobody listens any more | a new run | what is replayed, then what comes | the same |
    /// | the source has dropped its observer without an end | a new run | what is replayed, and nothing more | the same |
    /// | the source has completed | a new run | a new run | what is replayed, then completion |
    /// | the source has failed | a new run | a new run | what is replayed, then the error |
    ///
    /// The last one to leave cancels the source with `.idleOrFinished`; otherwise nobody does. Replayed values come before
    /// any newer one. Buffers what is replayed.
    ///
    /// ```swift
    /// let user = provider.request(.user).map(User.self).share(replay: .latest(1), until: .forever)
    /// ```
    /// - Parameters:
    ///   - replay: what a late subscriber is given first.
    ///   - lifetime: how long one run serves.
    @inlinable
    public func share(replay: Replay = .none, until lifetime: ShareLifetime = .idleOrFinished) -> Observable<Element> {
        let desk = Desk<Element>(replay: replay, lifetime: lifetime)
        return Observable(run: { [source = observable] observer in
            let (run, signal, isNew) = desk.enter()
            if let signal { signal.observable.run(observer) } else { run.replay(to: observer) }
            observer.lifetime.onEnd { desk.leave(run) }
            guard isNew, let emitter = signal?.emitter else { return }
            let connection = Lifetime(in: run.umbrella) { error in
                desk.end(run)
                emitter.end(error)
            }
            source.run(Observer(connection, next: emitter.post))
        })
    }
}

/// One run of a shared source.
@usableFromInline
final class Run<Element: Sendable>: Sendable {
    private struct Signals: Sendable {
        /// Retained by the source alone: when that is dropped without an end, so are the subscribers (R21).
        let open: Weak<Signal<Element>>
        var ended: Signal<Element>?
    }

    /// Outlives the signal of a source that was dropped.
    private let history: History<Element>?

    /// Ends the run, also when the source has let go of its observer.
    @usableFromInline let umbrella = Lifetime { _ in }
    private let signals: Guarded<Signals>

    init(_ signal: Signal<Element>) {
        history = signal.history
        signals = Guarded(Signals(open: Weak(signal)))
    }

    /// `nil` when the source was dropped without an end.
    var signal: Signal<Element>? { signals.withLock { $0.ended ?? $0.open.object } }

    /// What a subscriber sees of a run whose source was dropped: nothing comes after what is replayed.
    @usableFromInline
    func replay(to observer: Observer<Element>) {
        for element in history?.elements ?? [] { observer.send(element) }
    }

    func keep() {
        signals.withLock { $0.ended = $0.open.object }
    }
}

/// Who takes part in which run.
///
/// It does not know the source, which those who listen must not keep.
@usableFromInline
final class Desk<Element: Sendable>: Sendable {
    private struct State: Sendable {
        var run: Run<Element>?
        var listeners = 0
    }

    private let replay: Replay
    private let lifetime: ShareLifetime
    private let state = Guarded(State())

    @usableFromInline
    init(replay: Replay, lifetime: ShareLifetime) {
        self.replay = replay
        self.lifetime = lifetime
    }

    /// The run to listen to, and whether it has to be started.
    @usableFromInline
    func enter() -> (run: Run<Element>, signal: Signal<Element>?, isNew: Bool) {
        state.withLock { state in
            state.listeners += 1
            if let run = state.run {
                let signal = run.signal
                if signal != nil || lifetime != .idleOrFinished { return (run, signal, false) }
                // Its source was dropped, and took the subscribers along: nobody is left.
                state.listeners = 1
            }
            let signal = Signal<Element>.pipe(replay: replay).signal
            let run = Run(signal)
            state.run = run
            return (run, signal, true)
        }
    }

    @usableFromInline
    func leave(_ run: Run<Element>) {
        let isIdle = state.withLock { state in
            guard state.run === run else { return false }
            state.listeners -= 1
            guard state.listeners == 0, lifetime == .idleOrFinished else { return false }
            state.run = nil
            return true
        }
        if isIdle { run.umbrella.cancel() }
    }

    @usableFromInline
    func end(_ run: Run<Element>) {
        if lifetime == .forever { return run.keep() }
        state.withLock { state in
            guard state.run === run else { return }
            state = State()
        }
    }
}

public import MoyaScheduling
public import Synchronization

/// Runs the inner streams of `flatMap`, `concatMap`, `flatMapFirst` and `expand`, and serialises their events.
@usableFromInline
final class FlatMapCoordinator<Element: Sendable, Output: Sendable>: Sendable {
    @usableFromInline
    enum DownstreamEvent: Sendable {
        case next(Output)
        case end((any Error)?)
        case close
    }

    @usableFromInline
    struct DownstreamObserver: Sendable {
        @usableFromInline let observer: Observer<Output>
        /// Delivers the messages queued in the drain loop, then a value; drops the value if a message ends the stream.
        @usableFromInline let nextWhileDraining: @Sendable (Output) -> Void

        @inlinable
        init(_ observer: Observer<Output>, _ drainLoop: DrainLoop<DownstreamObserver?, DownstreamEvent>) {
            self.observer = observer
            nextWhileDraining = { output in
                if drainLoop.hasMessages.load(ordering: .relaxed), !Self.drainFirst(observer, drainLoop) { return }
                observer.next(output)
            }
        }

        /// Delivers the messages queued in `drainLoop`; returns `false` if the observer's lifetime has ended.
        ///
        /// Not inlined, because queued messages are rare.
        @inlinable
        @inline(never)
        static func drainFirst(
            _ observer: Observer<Output>, _ drainLoop: DrainLoop<DownstreamObserver?, DownstreamEvent>
        )
            -> Bool
        {
            for message in drainLoop.takeMessages() { FlatMapCoordinator.notify(observer, message) }
            return !observer.lifetime.isOver
        }
    }

    @usableFromInline let transform: @Sendable (Element) throws -> Observable<Output>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let isUnlimited: Bool
    @usableFromInline let hasFailed = Atomic(false)
    @usableFromInline let limiter: LockedBox<InnerStreamLimiter<Element>>
    @usableFromInline let drainLoop: DrainLoop<DownstreamObserver?, DownstreamEvent>

    @inlinable
    init(
        _ downstream: Observer<Output>, limit: Int, isQueueing: Bool = true,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) {
        self.transform = transform
        lifetime = downstream.lifetime
        isUnlimited = limit == .max
        let limiter = LockedBox(InnerStreamLimiter<Element>(limit: limit, isQueueing: isQueueing))
        let drainLoop = DrainLoop<DownstreamObserver?, DownstreamEvent>(nil) { downstreamState, message in
            guard let observer = downstreamState?.observer else { return }
            if case .next = message {} else { downstreamState = nil }
            FlatMapCoordinator.notify(observer, message)
        }
        _ = drainLoop.tryWithState { $0 = DownstreamObserver(downstream, drainLoop) }
        lifetime.onEnd {
            drainLoop.submit(.close)
            let dropped = limiter.change { $0.end() }
            withExtendedLifetime(dropped) {}
        }
        self.limiter = limiter
        self.drainLoop = drainLoop
    }

    deinit { drainLoop.submit(.close) }

    @inlinable
    static func notify(_ observer: Observer<Output>, _ message: DownstreamEvent) {
        switch message {
        case .next(let output): observer.send(output)
        case .end(let error): observer.lifetime.end(error)
        case .close: break
        }
    }

    @inlinable
    func receive(_ element: Element) {
        // A failure may be queued behind the event that is being delivered.
        guard !hasFailed.load(ordering: .relaxed) else { return }
        if isUnlimited {
            do {
                let inner = try transform(element)
                if case .just(let output) = inner.source { return send(output) }
                guard limiter.change({ $0.arrive(element) }) != nil else { return }
                if completesWhileSubscribing(inner), let next = elementAfterInner() { start(next) }
            } catch { fail(error) }
        } else if let element = limiter.change({ $0.arrive(element) }) {
            start(element)
        }
    }

    @inlinable
    func endOuter(_ error: (any Error)?) {
        if let error { return fail(error) }
        if limiter.change({ $0.endOuter() }) { drainLoop.submit(.end(nil)) }
    }

    @inlinable
    func send(_ output: Output) {
        if !drainLoop.tryWithState({ downstreamState in downstreamState?.observer.send(output) }) {
            drainLoop.enqueue(.next(output))
        }
    }

    @inlinable
    func fail(_ error: any Error) {
        hasFailed.store(true, ordering: .relaxed)
        let dropped = limiter.change { $0.end() }
        withExtendedLifetime(dropped) {}
        drainLoop.submit(.end(error))
    }

    /// Starts the inner stream for an element; if the stream completes immediately, continues with the next element.
    @inlinable
    func start(_ element: Element) {
        var next: Element? = element
        while let element = next {
            do {
                guard completesWhileSubscribing(try transform(element)) else { return }
            } catch { return fail(error) }
            next = elementAfterInner()
        }
    }

    /// Subscribes to an inner stream; returns whether that stream has completed.
    @inlinable
    func completesWhileSubscribing(_ inner: Observable<Output>) -> Bool {
        if case .just(let output) = inner.source {
            send(output)
            return true
        }
        if inner.completesSynchronously, drainLoop.tryWithState({ runWhileOwned(&$0, inner) }) { return true }
        let isOver = OneShotFlag()
        let lifetime = Lifetime(in: lifetime) { [self] error in
            if let error { return fail(error) }
            if !isOver.setIfUnset(), let next = elementAfterInner() { start(next) }
        }
        // `inner` runs outside the drain loop. Inside the loop, its synchronous values would be queued instead of being
        // delivered immediately.
        inner.run(Observer(lifetime) { [self] output in send(output) })
        return !isOver.setIfUnset()
    }

    /// Runs an inner stream whose `completesSynchronously` is true.
    ///
    /// Called inside the drain loop, so that the loop is entered once, and not for each value.
    @inlinable
    func runWhileOwned(_ downstreamState: inout DownstreamObserver?, _ inner: Observable<Output>) {
        guard let next = downstreamState?.nextWhileDraining else { return }
        let innerLifetime = Lifetime(in: lifetime) { [self] error in if let error { fail(error) } }
        inner.run(Observer(innerLifetime, next: next))
        if lifetime.isOver { downstreamState = nil }
    }

    /// Marks an inner stream as complete; removes and returns the next queued element, if there is one.
    ///
    /// Completes the downstream if no inner stream runs and the outer stream has completed.
    @inlinable
    func elementAfterInner() -> Element? {
        switch limiter.change({ $0.endInner() }) {
        case .start(let element): return element
        case .finish: drainLoop.submit(.end(nil))
        case nil: break
        }
        return nil
    }
}

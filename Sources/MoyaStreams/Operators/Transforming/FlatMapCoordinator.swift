public import Synchronization

/// Runs the inner streams of `flatMap`, `concatMap`, `flatMapFirst` and `expand`, and serializes their events.
@usableFromInline
final class FlatMapCoordinator<Element: Sendable, Output: Sendable>: Sendable {
    @usableFromInline let transform: @Sendable (Element) throws -> Observable<Output>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let isUnlimited: Bool
    @usableFromInline let hasFailed = Atomic(false)
    @usableFromInline let limiter: LockedBox<InnerStreamLimiter<Element>>
    /// The downstream observer until the end; the message `nil` releases it.
    @usableFromInline let drainLoop: DrainLoop<Observer<Output>?, Event<Output>?>

    @inlinable
    init(
        _ downstream: Observer<Output>, limit: Int, isQueueing: Bool = true,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) {
        self.transform = transform
        lifetime = downstream.lifetime
        isUnlimited = limit == .max
        let limiter = LockedBox(InnerStreamLimiter<Element>(limit: limit, isQueueing: isQueueing))
        let drainLoop = DrainLoop<Observer<Output>?, Event<Output>?>(downstream) { downstream, event in
            let observer = downstream
            if case .next? = event {} else { downstream = nil }
            if let event { observer?.send(event: event) }
        }
        lifetime.onEnd {
            drainLoop.submit(nil)
            let dropped = limiter.change { $0.end() }
            withExtendedLifetime(dropped) {}
        }
        self.limiter = limiter
        self.drainLoop = drainLoop
    }

    deinit { drainLoop.submit(nil) }

    @inlinable
    func receive(_ element: Element) {
        // A failure may be queued behind the event that is being delivered.
        guard !hasFailed.load(ordering: .relaxed) else { return }
        if isUnlimited {
            do {
                // The outer stream cannot end meanwhile, so that values that are ready need not count as a stream.
                let inner = try transform(element)
                if case .just(let output) = inner.source { return send(output) }
                if try sendIfReady(inner) { return }
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
        if limiter.change({ $0.endOuter() }) { drainLoop.submit(.completed) }
    }

    @inlinable
    func send(_ output: Output) {
        if !drainLoop.tryWithState({ observer in observer?.send(output) }) { drainLoop.enqueue(.next(output)) }
    }

    @inlinable
    func fail(_ error: any Error) {
        hasFailed.store(true, ordering: .relaxed)
        let dropped = limiter.change { $0.end() }
        withExtendedLifetime(dropped) {}
        drainLoop.submit(.error(error))
    }

    /// Subscribes to the inner stream of a value, and of the values after it while their streams complete at once.
    @inlinable
    func start(_ element: Element) {
        var next: Element? = element
        while let element = next {
            do {
                let inner = try transform(element)
                guard try sendIfReady(inner) || completesWhileSubscribing(inner) else { return }
            } catch { return fail(error) }
            next = elementAfterInner()
        }
    }

    @inlinable
    func sendIfReady(_ inner: Observable<Output>) throws -> Bool {
        switch inner.source {
        case .just(let output): send(output)
        case .iterate(let iterate, _): try send(iterate)
        case .subscribe: return false
        }
        return true
    }

    /// Sends values that are ready, and what other inner streams send meanwhile in between.
    @inlinable
    func send(_ iterate: Observable<Output>.Iteration) throws {
        var failure: (any Error)?
        let isEntered = drainLoop.tryWithState { downstream in
            guard let observer = downstream else { return }
            do {
                _ = try iterate { output in
                    if drainLoop.hasMessages.load(ordering: .relaxed) {
                        drainLoop.drain(&downstream)
                        if observer.lifetime.isOver { return false }
                    }
                    observer.next(output)
                    return !observer.lifetime.isOver
                }
            } catch { failure = error }
        }
        if !isEntered {
            _ = try iterate { output in
                send(output)
                return !lifetime.isOver && !hasFailed.load(ordering: .relaxed)
            }
        }
        if let failure { throw failure }
    }

    @inlinable
    func completesWhileSubscribing(_ inner: Observable<Output>) -> Bool {
        let isOver = OneShotFlag()
        let lifetime = Lifetime(in: lifetime) { [self] error in
            if let error { return fail(error) }
            if !isOver.setIfUnset(), let next = elementAfterInner() { start(next) }
        }
        // Outside the drain loop, which would queue the synchronous values of `inner` instead of delivering them.
        inner.run(Observer(lifetime) { [self] output in send(output) })
        return !isOver.setIfUnset()
    }

    /// Accounts for the end of an inner stream; returns the value whose stream starts next.
    @inlinable
    func elementAfterInner() -> Element? {
        let (next, isLast) = limiter.change { $0.endInner() }
        if isLast { drainLoop.submit(.completed) }
        return next
    }
}

public import MoyaScheduling
public import Synchronization

extension Subscribable {
    /// The values of the streams that `transform` makes of each value, as they come.
    ///
    /// ```text
    /// source:                     --a-----b--|
    /// flatMap { of($0, $0+$0) }:  --(aA)--(bB)--|
    /// ```
    /// Completes when the source and all inner streams have; fails with the first failure among them, or when
    /// `transform` throws.
    ///
    /// Buffers values without limit while `maxConcurrent` inner streams run; `transform` is called when one has completed.
    ///
    /// - Parameters:
    ///   - maxConcurrent: how many inner streams may run at a time; at least one does.
    ///   - transform: makes a stream of a value.
    @inlinable
    public func flatMap<Output: Sendable>(
        maxConcurrent: Int = .max,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) -> Observable<Output> {
        Observable(run: { [source = observable] downstream in
            let coordinator = FlatMapCoordinator(downstream, limit: max(maxConcurrent, 1), transform)
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.outerEnded($0) }
            source.run(Observer(lifetime) { coordinator.arrived($0) })
        })
    }
}

/// Limits how many inner streams run at a time, and queues the values that wait.
///
/// A pure value that releases no element itself, so that it may be changed under a lock.
@usableFromInline
struct InnerStreamLimiter<Element: Sendable>: Sendable {
    @usableFromInline
    enum Step: Sendable {
        case start(Element)
        case finish
    }

    @usableFromInline let limit: Int
    /// Whether values over the limit are queued; otherwise they are dropped.
    @usableFromInline let queues: Bool
    @usableFromInline var waiting = Queue<Element>()
    @usableFromInline var running = 0
    @usableFromInline var isOuterOver = false
    @usableFromInline var isOver = false

    @inlinable
    init(limit: Int, queues: Bool) {
        self.limit = limit
        self.queues = queues
    }

    /// Returns the element if its inner stream may start now; otherwise queues or drops it.
    @inlinable
    mutating func arrive(_ element: Element) -> Element? {
        guard !isOver else { return nil }
        if running < limit {
            running += 1
            return element
        }
        if queues { waiting.append(element) }
        return nil
    }

    /// Marks the outer stream as complete; returns whether everything is.
    @inlinable
    mutating func endOuter() -> Bool {
        isOuterOver = true
        return running == 0
    }

    /// Marks an inner stream as complete; returns what follows.
    @inlinable
    mutating func endInner() -> Step? {
        guard !isOver else { return nil }
        if let next = waiting.popFirst() { return .start(next) }
        running -= 1
        return isOuterOver && running == 0 ? .finish : nil
    }

    /// Ends everything; returns the queued elements, which the caller releases outside the lock.
    @inlinable
    mutating func end() -> Queue<Element> {
        isOver = true
        defer { waiting = Queue() }
        return waiting
    }
}

@usableFromInline
final class FlatMapCoordinator<Element: Sendable, Output: Sendable>: Sendable {
    @usableFromInline
    enum Message: Sendable {
        case next(Output)
        case end((any Error)?)
        case close
    }

    @usableFromInline
    struct Downstream: Sendable {
        @usableFromInline let observer: Observer<Output>
        /// Receives the values of an inner stream that completes synchronously and runs while the state is owned: messages that are
        /// queued meanwhile go first.
        @usableFromInline let nextWhileDraining: @Sendable (Output) -> Void

        @inlinable
        init(_ observer: Observer<Output>, _ drainLoop: DrainLoop<Downstream?, Message>) {
            self.observer = observer
            nextWhileDraining = { output in
                if drainLoop.hasMessages.load(ordering: .relaxed), !Self.drainFirst(observer, drainLoop) { return }
                observer.next(output)
            }
        }

        /// Delivers the queued messages; returns whether the lifetime has not ended.
        ///
        /// Out of line: messages are rare, and each word that the closure captures is loaded for each value.
        @inlinable
        @inline(never)
        static func drainFirst(_ observer: Observer<Output>, _ drainLoop: DrainLoop<Downstream?, Message>) -> Bool {
            for message in drainLoop.takeMessages() { FlatMapCoordinator.notify(observer, message) }
            return !observer.lifetime.isOver
        }
    }

    @usableFromInline let transform: @Sendable (Element) throws -> Observable<Output>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let isUnlimited: Bool
    @usableFromInline let limiter: LockedBox<InnerStreamLimiter<Element>>
    @usableFromInline let drainLoop: DrainLoop<Downstream?, Message>

    @inlinable
    init(
        _ downstream: Observer<Output>, limit: Int, queues: Bool = true,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) {
        self.transform = transform
        lifetime = downstream.lifetime
        isUnlimited = limit == .max
        let limiter = LockedBox(InnerStreamLimiter<Element>(limit: limit, queues: queues))
        let drainLoop = DrainLoop<Downstream?, Message>(nil) { downstreamState, message in
            guard let observer = downstreamState?.observer else { return }
            if case .next = message {} else { downstreamState = nil }
            FlatMapCoordinator.notify(observer, message)
        }
        _ = drainLoop.tryWithState { $0 = Downstream(downstream, drainLoop) }
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
    static func notify(_ observer: Observer<Output>, _ message: Message) {
        switch message {
        case .next(let output): observer.send(output)
        case .end(let error): observer.lifetime.end(error)
        case .close: break
        }
    }

    @inlinable
    func arrived(_ element: Element) {
        if isUnlimited {
            do {
                let inner = try transform(element)
                if case .just(let output) = inner.source { return send(output) }
                guard limiter.change({ $0.arrive(element) }) != nil else { return }
                if endsWhenSubscribed(inner), let next = afterInner() { start(next) }
            } catch { fail(error) }
        } else if let element = limiter.change({ $0.arrive(element) }) {
            start(element)
        }
    }

    @inlinable
    func outerEnded(_ error: (any Error)?) {
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
        let dropped = limiter.change { $0.end() }
        withExtendedLifetime(dropped) {}
        drainLoop.submit(.end(error))
    }

    /// Starts inner streams one after the other as long as they end while they are subscribed, so that the stack does not grow.
    @inlinable
    func start(_ element: Element) {
        var next: Element? = element
        while let element = next {
            do {
                guard endsWhenSubscribed(try transform(element)) else { return }
            } catch { return fail(error) }
            next = afterInner()
        }
    }

    @inlinable
    func endsWhenSubscribed(_ inner: Observable<Output>) -> Bool {
        if case .just(let output) = inner.source {
            send(output)
            return true
        }
        if inner.completesSynchronously, drainLoop.tryWithState({ runInside(&$0, inner) }) { return true }
        let flag = OneShotFlag()
        let lifetime = Lifetime(in: lifetime) { [self] error in
            if let error { return fail(error) }
            if !flag.setIfUnset(), let next = afterInner() { start(next) }
        }
        // Without owning the state: a stream that delivers while it is subscribed delivers immediately (R14).
        inner.run(Observer(lifetime) { [self] output in send(output) })
        return !flag.setIfUnset()
    }

    /// Runs a stream that completes synchronously from start to end while the state is owned, instead of once for each value.
    @inlinable
    func runInside(_ downstreamState: inout Downstream?, _ inner: Observable<Output>) {
        guard let next = downstreamState?.nextWhileDraining else { return }
        let inside = Lifetime(in: lifetime) { [self] error in if let error { fail(error) } }
        inner.run(Observer(inside, next: next))
        if lifetime.isOver { downstreamState = nil }
    }

    /// Returns the next queued element, if there is one, after an inner stream has completed.
    @inlinable
    func afterInner() -> Element? {
        switch limiter.change({ $0.endInner() }) {
        case .start(let element): return element
        case .finish: drainLoop.submit(.end(nil))
        case nil: break
        }
        return nil
    }
}

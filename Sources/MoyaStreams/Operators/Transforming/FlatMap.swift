public import Moya
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
    /// Buffers the values that wait for their turn, without limit, when `maxConcurrent` inner streams run already;
    /// `transform` is called when the turn has come.
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

/// Who runs, who waits.
///
/// A pure value; it never lets go of an element itself, so that it may change under a lock.
@usableFromInline
struct InnerStreamLimiter<Element: Sendable>: Sendable {
    @usableFromInline
    enum Step: Sendable {
        case start(Element)
        case finish
    }

    @usableFromInline let limit: Int
    /// Whether those wait whose turn has not come; otherwise they are dropped.
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

    /// The element, if it may start right away; else it waits.
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

    /// Says whether that was the end of all.
    @inlinable
    mutating func endOuter() -> Bool {
        isOuterOver = true
        return running == 0
    }

    /// An inner stream has ended: what is next.
    @inlinable
    mutating func endInner() -> Step? {
        guard !isOver else { return nil }
        if let next = waiting.popFirst() { return .start(next) }
        running -= 1
        return isOuterOver && running == 0 ? .finish : nil
    }

    /// Nothing starts any more.
    ///
    /// What waited is the caller's to release.
    @inlinable
    mutating func end() -> Queue<Element> {
        isOver = true
        defer { waiting = Queue() }
        return waiting
    }
}

/// Of two who come here, the second one goes on.
@usableFromInline
final class OneShotFlag: Sendable {
    @usableFromInline let hasBegun = Atomic<Bool>(false)

    @inlinable
    init() {}

    @inlinable
    func isSecond() -> Bool { hasBegun.exchange(true, ordering: .acquiringAndReleasing) }
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
        /// Takes the values of a prompt inner stream, which runs inside the drainLoop: notes that come meanwhile go first.
        @usableFromInline let nextWhileDraining: @Sendable (Output) -> Void

        @inlinable
        init(_ observer: Observer<Output>, _ drainLoop: DrainLoop<Downstream?, Message>) {
            self.observer = observer
            nextWhileDraining = { output in
                if drainLoop.hasMessages.load(ordering: .relaxed), !Self.drainFirst(observer, drainLoop) { return }
                observer.next(output)
            }
        }

        /// Says whether somebody still listens.
        ///
        /// Out of line: there are seldom notes, and each word that the closure captures is loaded for each value.
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

    /// Starts one inner stream after the other, as long as they end while they are being subscribed: the stack does not
    /// grow with their number.
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
            if flag.isSecond(), let next = afterInner() { start(next) }
        }
        // Outside the drainLoop: a stream that delivers while it is being subscribed delivers right away (R14).
        inner.run(Observer(lifetime) { [self] output in send(output) })
        return flag.isSecond()
    }

    /// A prompt stream does not need the drainLoop for each of its values: it runs from beginning to end inside.
    @inlinable
    func runInside(_ downstreamState: inout Downstream?, _ inner: Observable<Output>) {
        guard let next = downstreamState?.nextWhileDraining else { return }
        let inside = Lifetime(in: lifetime) { [self] error in if let error { fail(error) } }
        inner.run(Observer(inside, next: next))
        if lifetime.isOver { downstreamState = nil }
    }

    /// The next one, if one waits for the coordinator that became free.
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

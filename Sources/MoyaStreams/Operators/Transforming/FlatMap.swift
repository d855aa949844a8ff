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
        Observable(run: { [run = observable.run] downstream in
            let flattening = Flattening(downstream, limit: max(maxConcurrent, 1), transform)
            let lifetime = Lifetime(in: downstream.lifetime) { flattening.outerEnded($0) }
            run(Observer(lifetime) { flattening.arrived($0) })
        })
    }
}

/// Who runs, who waits.
///
/// A pure value; it never lets go of an element itself, so that it may change under a lock.
@usableFromInline
struct Turns<Element: Sendable>: Sendable {
    @usableFromInline
    enum Step {
        case start(Element)
        case finish
    }

    @usableFromInline let limit: Int
    /// The waiting ones are those from `first` on; before it, places that were taken.
    @usableFromInline var waiting: [Element?] = []
    @usableFromInline var first = 0
    @usableFromInline var running = 0
    @usableFromInline var isOuterOver = false
    @usableFromInline var isOver = false

    @inlinable
    init(limit: Int) {
        self.limit = limit
    }

    /// The element, if it may start right away; else it waits.
    @inlinable
    mutating func arrive(_ element: Element) -> Element? {
        guard !isOver else { return nil }
        if running < limit {
            running += 1
            return element
        }
        waiting.append(element)
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
        if first < waiting.count, let next = waiting[first] {
            waiting[first] = nil
            first += 1
            if first > waiting.count / 2 {
                waiting.removeFirst(first)
                first = 0
            }
            return .start(next)
        }
        running -= 1
        return isOuterOver && running == 0 ? .finish : nil
    }

    /// Nothing starts any more.
    ///
    /// What waited is the caller's to release.
    @inlinable
    mutating func end() -> [Element?] {
        isOver = true
        defer { waiting = [] }
        return waiting
    }
}

/// Of two who come here, the second one goes on.
@usableFromInline
final class Meeting: Sendable {
    @usableFromInline let hasBegun = Atomic<Bool>(false)

    @inlinable
    init() {}

    @inlinable
    func isSecond() -> Bool { hasBegun.exchange(true, ordering: .acquiringAndReleasing) }
}

@usableFromInline
final class Flattening<Element: Sendable, Output: Sendable>: Sendable {
    @usableFromInline
    enum Note: Sendable {
        case next(Output)
        case end((any Error)?)
        case close
    }

    @usableFromInline let transform: @Sendable (Element) throws -> Observable<Output>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let turns: Guarded<Turns<Element>>
    @usableFromInline let gate: Gate<Observer<Output>?, Note>

    @inlinable
    init(
        _ downstream: Observer<Output>, limit: Int,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) {
        self.transform = transform
        lifetime = downstream.lifetime
        turns = Guarded(Turns(limit: limit))
        gate = Gate(downstream) { downstream, note in
            guard let target = downstream else { return }
            switch note {
            case .next(let output):
                if !target.lifetime.isOver { target.next(output) }
            case .end(let error):
                downstream = nil
                target.lifetime.end(error)
            case .close:
                downstream = nil
            }
        }
        lifetime.onEnd { [weak self] in
            self?.gate.pass(.close)
            self?.stopStarting()
        }
    }

    @inlinable
    func arrived(_ element: Element) {
        if let element = turns.withLock({ $0.arrive(element) }) { start(element) }
    }

    @inlinable
    func outerEnded(_ error: (any Error)?) {
        if let error { return fail(error) }
        if turns.withLock({ $0.endOuter() }) { gate.pass(.end(nil)) }
    }

    @inlinable
    func fail(_ error: any Error) {
        stopStarting()
        gate.pass(.end(error))
    }

    @inlinable
    func stopStarting() {
        let dropped = turns.withLock { $0.end() }
        withExtendedLifetime(dropped) {}
    }

    /// Starts one inner stream after the other, as long as they end while they are being subscribed: the stack does not
    /// grow with their number.
    @inlinable
    func start(_ element: Element) {
        var next: Element? = element
        while let element = next {
            guard endsWhenSubscribed(element) else { return }
            next = afterInner()
        }
    }

    /// Outside the gate: a stream that delivers while it is being subscribed delivers right away (R14).
    @inlinable
    func endsWhenSubscribed(_ element: Element) -> Bool {
        let meeting = Meeting()
        let inner = Lifetime(in: lifetime) { [self] error in
            if let error { return fail(error) }
            if meeting.isSecond(), let next = afterInner() { start(next) }
        }
        do {
            try transform(element).run(Observer(inner) { [gate] output in gate.pass(.next(output)) })
        } catch {
            fail(error)
        }
        return meeting.isSecond()
    }

    /// The next one, if one waits for the place that became free.
    @inlinable
    func afterInner() -> Element? {
        switch turns.withLock({ $0.endInner() }) {
        case .start(let element): return element
        case .finish: gate.pass(.end(nil))
        case nil: break
        }
        return nil
    }
}

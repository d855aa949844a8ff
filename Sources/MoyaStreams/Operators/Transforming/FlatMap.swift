public import Moya

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
/// A pure value.
@usableFromInline
struct Turns<Element: Sendable>: Sendable {
    @usableFromInline
    enum Step {
        case start(Element)
        case finish
    }

    @usableFromInline let limit: Int
    @usableFromInline var waiting: ArraySlice<Element> = []
    @usableFromInline var running = 0
    @usableFromInline var isOuterOver = false
    /// Somebody is starting streams: an end that comes meanwhile is seen to by that one, so that the stack does not grow.
    @usableFromInline var isStarting = false

    @inlinable
    init(limit: Int) {
        self.limit = limit
    }

    /// A value that may start right away; else it waits.
    @inlinable
    mutating func arrive(_ element: Element) -> Element? {
        if running < limit, waiting.isEmpty {
            running += 1
            return element
        }
        waiting.append(element)
        return nil
    }

    @inlinable
    mutating func endOuter() -> Bool {
        isOuterOver = true
        return running == 0 && waiting.isEmpty
    }

    @inlinable
    mutating func endInner() {
        running -= 1
    }

    /// What is to be done after an end; nil when nothing, or when another caller is at it.
    @inlinable
    mutating func nextStep(isContinuing: Bool) -> Step? {
        guard isContinuing || !isStarting else { return nil }
        isStarting = false
        if running < limit, let next = waiting.popFirst() {
            if waiting.isEmpty { waiting = [] }
            running += 1
            isStarting = true
            return .start(next)
        }
        return isOuterOver && running == 0 && waiting.isEmpty ? .finish : nil
    }
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
        lifetime.onEnd { [weak gate] in gate?.pass(.close) }
    }

    @inlinable
    func arrived(_ element: Element) {
        if let element = turns.withLock({ $0.arrive(element) }) { start(element) }
    }

    @inlinable
    func outerEnded(_ error: (any Error)?) {
        if let error { return gate.pass(.end(error)) }
        if turns.withLock({ $0.endOuter() }) { gate.pass(.end(nil)) }
    }

    /// Outside the gate: a stream that delivers while it is being subscribed delivers right away (R14).
    @inlinable
    func start(_ element: Element) {
        let inner = Lifetime(in: lifetime) { [self] error in
            if let error { gate.pass(.end(error)) } else { innerEnded() }
        }
        do {
            try transform(element).run(Observer(inner) { [gate] output in gate.pass(.next(output)) })
        } catch {
            gate.pass(.end(error))
        }
    }

    @inlinable
    func innerEnded() {
        turns.withLock { $0.endInner() }
        var isContinuing = false
        while let step = turns.withLock({ $0.nextStep(isContinuing: isContinuing) }) {
            switch step {
            case .start(let element): start(element)
            case .finish: return gate.pass(.end(nil))
            }
            isContinuing = true
        }
    }
}

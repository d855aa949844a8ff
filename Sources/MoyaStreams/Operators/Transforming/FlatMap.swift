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
            let flattening = Flattening(downstream, limit: max(maxConcurrent, 1), transform)
            let lifetime = Lifetime(in: downstream.lifetime) { flattening.outerEnded($0) }
            source.run(Observer(lifetime) { flattening.arrived($0) })
        })
    }
}

/// Who runs, who waits.
///
/// A pure value; it never lets go of an element itself, so that it may change under a lock.
@usableFromInline
struct Turns<Element: Sendable>: Sendable {
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

    @usableFromInline
    struct Room: Sendable {
        @usableFromInline let observer: Observer<Output>
        /// Takes the values of a prompt inner stream, which runs inside the gate: notes that come meanwhile go first.
        @usableFromInline let nextInside: @Sendable (Output) -> Void

        @inlinable
        init(_ observer: Observer<Output>, _ gate: Gate<Room?, Note>) {
            self.observer = observer
            nextInside = { output in
                if gate.hasNotes.load(ordering: .relaxed), !Self.catchUp(observer, gate) { return }
                observer.next(output)
            }
        }

        /// Says whether somebody still listens.
        ///
        /// Out of line: there are seldom notes, and each word that the closure captures is loaded for each value.
        @inlinable
        @inline(never)
        static func catchUp(_ observer: Observer<Output>, _ gate: Gate<Room?, Note>) -> Bool {
            for note in gate.takeNotes() { Flattening.tell(observer, note) }
            return !observer.lifetime.isOver
        }
    }

    @usableFromInline let transform: @Sendable (Element) throws -> Observable<Output>
    @usableFromInline let lifetime: Lifetime
    @usableFromInline let isUnlimited: Bool
    @usableFromInline let turns: Slot<Turns<Element>>
    @usableFromInline let gate: Gate<Room?, Note>

    @inlinable
    init(
        _ downstream: Observer<Output>, limit: Int, queues: Bool = true,
        _ transform: @escaping @Sendable (Element) throws -> Observable<Output>
    ) {
        self.transform = transform
        lifetime = downstream.lifetime
        isUnlimited = limit == .max
        let turns = Slot(Turns<Element>(limit: limit, queues: queues))
        let gate = Gate<Room?, Note>(nil) { room, note in
            guard let observer = room?.observer else { return }
            if case .next = note {} else { room = nil }
            Flattening.tell(observer, note)
        }
        _ = gate.enter { $0 = Room(downstream, gate) }
        lifetime.onEnd {
            gate.pass(.close)
            let dropped = turns.change { $0.end() }
            withExtendedLifetime(dropped) {}
        }
        self.turns = turns
        self.gate = gate
    }

    deinit { gate.pass(.close) }

    @inlinable
    static func tell(_ observer: Observer<Output>, _ note: Note) {
        switch note {
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
                if case .just(let output) = inner.recipe { return send(output) }
                guard turns.change({ $0.arrive(element) }) != nil else { return }
                if endsWhenSubscribed(inner), let next = afterInner() { start(next) }
            } catch { fail(error) }
        } else if let element = turns.change({ $0.arrive(element) }) {
            start(element)
        }
    }

    @inlinable
    func outerEnded(_ error: (any Error)?) {
        if let error { return fail(error) }
        if turns.change({ $0.endOuter() }) { gate.pass(.end(nil)) }
    }

    @inlinable
    func send(_ output: Output) {
        if !gate.enter({ room in room?.observer.send(output) }) { gate.leave(.next(output)) }
    }

    @inlinable
    func fail(_ error: any Error) {
        let dropped = turns.change { $0.end() }
        withExtendedLifetime(dropped) {}
        gate.pass(.end(error))
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
        if case .just(let output) = inner.recipe {
            send(output)
            return true
        }
        if inner.isPrompt, gate.enter({ runInside(&$0, inner) }) { return true }
        let meeting = Meeting()
        let lifetime = Lifetime(in: lifetime) { [self] error in
            if let error { return fail(error) }
            if meeting.isSecond(), let next = afterInner() { start(next) }
        }
        // Outside the gate: a stream that delivers while it is being subscribed delivers right away (R14).
        inner.run(Observer(lifetime) { [self] output in send(output) })
        return meeting.isSecond()
    }

    /// A prompt stream does not need the gate for each of its values: it runs from beginning to end inside.
    @inlinable
    func runInside(_ room: inout Room?, _ inner: Observable<Output>) {
        guard let next = room?.nextInside else { return }
        let inside = Lifetime(in: lifetime) { [self] error in if let error { fail(error) } }
        inner.run(Observer(inside, next: next))
        if lifetime.isOver { room = nil }
    }

    /// The next one, if one waits for the place that became free.
    @inlinable
    func afterInner() -> Element? {
        switch turns.change({ $0.endInner() }) {
        case .start(let element): return element
        case .finish: gate.pass(.end(nil))
        case nil: break
        }
        return nil
    }
}

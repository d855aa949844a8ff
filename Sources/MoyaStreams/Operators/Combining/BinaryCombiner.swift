@usableFromInline
struct BinaryCombiner<First: InputBuffer, Second: InputBuffer>: Sendable {
    @usableFromInline typealias Combination = (First.Value, Second.Value)
    @usableFromInline typealias InputCoordinator = Coordinator<BinaryCombiner, InputEvent, Combination>

    @usableFromInline
    enum InputEvent: Sendable {
        case first(First.Value)
        case second(Second.Value)
        case firstEnded((any Error)?)
        case secondEnded((any Error)?)
    }

    @usableFromInline var first = First()
    @usableFromInline var second = Second()
    @usableFromInline var isFirstOver = false
    @usableFromInline var isSecondOver = false

    @inlinable
    init() {}

    @inlinable
    static func run(
        _ first: Observable<First.Value>, _ second: Observable<Second.Value>, _ downstream: Observer<Combination>
    ) {
        let coordinator = InputCoordinator(BinaryCombiner(), downstream, reduce)
        let one = Lifetime(in: downstream.lifetime) { coordinator.submit(.firstEnded($0)) }
        first.run(Observer(one) { coordinator.submit(.first($0), by: reduce) })
        let other = Lifetime(in: downstream.lifetime) { coordinator.submit(.secondEnded($0)) }
        second.run(Observer(other) { coordinator.submit(.second($0), by: reduce) })
    }

    @inlinable
    @inline(__always)
    @Sendable
    static func reduce(
        _ combiner: inout BinaryCombiner, to event: InputEvent, _ observer: Observer<Combination>, _: InputCoordinator
    ) -> InputCoordinator.ControlFlow {
        switch event {
        case .first(let value): combiner.first.add(value)
        case .second(let value): combiner.second.add(value)
        case .firstEnded(let error): return combiner.end(\.isFirstOver, error)
        case .secondEnded(let error): return combiner.end(\.isSecondOver, error)
        }
        if let combination = combiner.next() { observer.next(combination) }
        return combiner.isOver ? .finish(nil) : .continue
    }

    @inlinable
    mutating func next() -> Combination? {
        guard !first.isEmpty, !second.isEmpty, let one = first.next(), let other = second.next() else { return nil }
        return (one, other)
    }

    @inlinable
    mutating func end(_ isInputOver: WritableKeyPath<BinaryCombiner, Bool>, _ error: (any Error)?)
        -> InputCoordinator.ControlFlow
    {
        if let error { return .finish(error) }
        self[keyPath: isInputOver] = true
        return isOver ? .finish(nil) : .continue
    }

    @inlinable var isOver: Bool {
        isFirstOver && (isSecondOver || first.isEmpty) || isSecondOver && second.isEmpty
    }
}

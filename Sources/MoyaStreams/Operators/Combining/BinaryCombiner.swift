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
    ) {
        switch event {
        case .first(let value): combiner.first.append(value)
        case .second(let value): combiner.second.append(value)
        case .firstEnded(nil): return combiner.end(\.isFirstOver, observer)
        case .secondEnded(nil): return combiner.end(\.isSecondOver, observer)
        case .firstEnded(let error?), .secondEnded(let error?): return observer.lifetime.fail(error)
        }
        guard !combiner.first.isEmpty, !combiner.second.isEmpty, let first = combiner.first.popFirst(),
            let second = combiner.second.popFirst()
        else { return }
        observer.next((first, second))
        if combiner.isOver { observer.lifetime.finish() }
    }

    @inlinable
    mutating func end(_ isInputOver: WritableKeyPath<BinaryCombiner, Bool>, _ observer: Observer<Combination>) {
        self[keyPath: isInputOver] = true
        if isOver { observer.lifetime.finish() }
    }

    @inlinable var isOver: Bool {
        isFirstOver && (isSecondOver || first.isEmpty) || isSecondOver && second.isEmpty
    }
}

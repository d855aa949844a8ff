@usableFromInline
struct BinaryCombiner<First: InputBuffer, Second: InputBuffer>: Sendable {
    @usableFromInline typealias Combination = (First.Value, Second.Value)
    @usableFromInline typealias InputCoordinator = Coordinator<BinaryCombiner, InputEvent, Combination>

    @usableFromInline
    enum InputEvent: Sendable {
        case first(First.Value)
        case second(Second.Value)
        case ended((any Error)?, isFirst: Bool)
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
        let one = Lifetime(in: downstream.lifetime) { coordinator.submit(.ended($0, isFirst: true)) }
        first.run(Observer(one) { coordinator.submit(.first($0), by: reduce) })
        let other = Lifetime(in: downstream.lifetime) { coordinator.submit(.ended($0, isFirst: false)) }
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
        case .ended(let error?, _): return observer.lifetime.fail(error)
        case .ended(nil, let isFirst):
            if isFirst { combiner.isFirstOver = true } else { combiner.isSecondOver = true }
            if combiner.isOver { observer.lifetime.finish() }
            return
        }
        guard !combiner.first.isEmpty, !combiner.second.isEmpty, let first = combiner.first.popFirst(),
            let second = combiner.second.popFirst()
        else { return }
        observer.next((first, second))
        if combiner.isOver { observer.lifetime.finish() }
    }

    @inlinable var isOver: Bool {
        isFirstOver && (isSecondOver || first.isEmpty) || isSecondOver && second.isEmpty
    }
}

@usableFromInline
struct ArrayCombiner<Buffer: InputBuffer>: Sendable {
    @usableFromInline typealias Combination = [Buffer.Value]
    @usableFromInline typealias InputCoordinator = Coordinator<ArrayCombiner, InputEvent, Combination>

    @usableFromInline
    enum InputEvent: Sendable {
        case arrived(Buffer.Value, Int)
        case ended((any Error)?, Int)
    }

    @usableFromInline var inputs: [(buffer: Buffer, isOver: Bool)]
    /// The number of inputs whose buffers are empty: counted, because thousands of inputs may begin one by one.
    @usableFromInline var missing: Int
    @usableFromInline var running: Int

    @inlinable
    init(count: Int) {
        inputs = Array(repeating: (Buffer(), false), count: count)
        missing = count
        running = count
    }

    @inlinable
    static func run(_ inputs: [Observable<Buffer.Value>], _ downstream: Observer<Combination>) {
        let coordinator = InputCoordinator(ArrayCombiner(count: inputs.count), downstream, reduce)
        if inputs.isEmpty { downstream.lifetime.finish() }
        for (index, input) in inputs.enumerated() {
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.ended($0, index)) }
            input.run(Observer(lifetime) { coordinator.submit(.arrived($0, index), by: reduce) })
        }
    }

    @inlinable
    @inline(__always)
    @Sendable
    static func reduce(
        _ combiner: inout ArrayCombiner, to event: InputEvent, _ observer: Observer<Combination>, _: InputCoordinator
    ) {
        switch event {
        case .arrived(let value, let index):
            if combiner.inputs[index].buffer.isEmpty { combiner.missing -= 1 }
            combiner.inputs[index].buffer.append(value)
            guard combiner.missing == 0 else { return }
            observer.next(combiner.inputs.indices.compactMap { combiner.inputs[$0].buffer.popFirst() })
            combiner.missing = combiner.inputs.count { $0.buffer.isEmpty }
            if combiner.inputs.contains(where: { $0.isOver && $0.buffer.isEmpty }) { observer.lifetime.finish() }
        case .ended(let error?, _): observer.lifetime.fail(error)
        case .ended(nil, let index):
            combiner.inputs[index].isOver = true
            combiner.running -= 1
            if combiner.running == 0 || combiner.inputs[index].buffer.isEmpty { observer.lifetime.finish() }
        }
    }
}

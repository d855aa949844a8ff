import MoyaScheduling

// The state of `zip` and `combineLatest` for inputs of different types. A message has only the index of the input with
// a new value, which is in its `queue`: an enum can't be generic over a parameter pack.
struct VariadicCombiner<each Buffer: InputBuffer>: Sendable {
    typealias Combination = (repeat (each Buffer).Value)
    typealias InputCoordinator = Coordinator<VariadicCombiner, VariadicCombinerInputEvent, Combination>

    private let inputs: (repeat BufferedInput<each Buffer>)
    private let indexed: [any CombinerInput]
    private var hasCompleted: [Bool]

    private init(_ inputs: repeat BufferedInput<each Buffer>) {
        self.inputs = (repeat each inputs)
        var indexed: [any CombinerInput] = []
        for input in repeat each inputs { indexed.append(input) }
        self.indexed = indexed
        hasCompleted = Array(repeating: false, count: indexed.count)
    }

    static func run(_ streams: repeat Observable<(each Buffer).Value>, downstream: Observer<Combination>) {
        let combiner = VariadicCombiner(repeat BufferedInput<each Buffer>())
        let coordinator = InputCoordinator(combiner, downstream) { combiner, event, observer, _ in
            switch event {
            case .arrived(let index):
                combiner.indexed[index].advance()
                guard combiner.indexed.allSatisfy({ !$0.isEmpty }) else { return }
                observer.next(combiner.next())
            case .ended(let error?, _): return observer.lifetime.fail(error)
            case .ended(nil, let index): combiner.hasCompleted[index] = true
            }
            if combiner.isOver { observer.lifetime.finish() }
        }
        if combiner.indexed.isEmpty { downstream.lifetime.finish() }
        var count = 0
        for (stream, input) in repeat (each streams, each combiner.inputs) {
            let (queue, index) = (input.queue, count)
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.ended($0, index)) }
            stream.run(
                Observer(lifetime) { value in
                    queue.change { $0.append(value) }
                    coordinator.submit(.arrived(index))
                })
            count += 1
        }
    }

    private func next() -> Combination { (repeat (each inputs).next()) }

    private var isOver: Bool {
        hasCompleted.allSatisfy { $0 } || zip(hasCompleted, indexed).contains { $0 && $1.isEmpty }
    }
}

enum VariadicCombinerInputEvent: Sendable {
    case arrived(Int)
    case ended((any Error)?, Int)
}

private protocol CombinerInput: Sendable {
    var isEmpty: Bool { get }

    func advance()
}

private final class BufferedInput<Buffer: InputBuffer>: CombinerInput {
    // Values not processed yet. Apart from `buffer`, because the input's observer captures `queue`; a stream may
    // retain its observer after the operator has ended, and must not retain the values in `buffer` then.
    let queue = LockedBox(Queue<Buffer.Value>())
    private let buffer = SerialCell(Buffer())

    var isEmpty: Bool { buffer.change { $0.isEmpty } }

    func advance() {
        guard let value = queue.change({ $0.popFirst() }) else { return }
        buffer.change { $0.add(value) }
    }

    func next() -> Buffer.Value {
        guard let value = buffer.change({ $0.next() }) else {
            preconditionFailure("zip or combineLatest: an input has no value for a combination")
        }
        return value
    }
}

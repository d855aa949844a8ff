/// The state of `zip` and `combineLatest` for any number of inputs of one type.
@usableFromInline
struct NaryCombiner<Input: InputBuffer>: Sendable {
    @usableFromInline typealias Combination = [Input.Value]
    @usableFromInline typealias Operator = Coordinator<NaryCombiner, Event, Combination>
    /// The subscribe function of an input.
    @usableFromInline typealias Start = @Sendable (Observer<Input.Value>) -> Void

    @usableFromInline
    enum Event: Sendable {
        case arrived(Input.Value, Int)
        case ended((any Error)?, Int)
    }

    @usableFromInline var inputs: [Input]
    @usableFromInline var isOver: [Bool]
    /// How many inputs have no value for the next combination.
    @usableFromInline var missing: Int
    @usableFromInline var running: Int
    /// The current combination, or empty.
    ///
    /// Values of `combineLatest` are kept here after the first combination.
    @usableFromInline var row: Combination = []

    @inlinable
    init(count: Int) {
        inputs = Array(repeating: Input(), count: count)
        isOver = Array(repeating: false, count: count)
        missing = count
        running = count
    }

    /// Subscribes to all inputs; completes at once without inputs.
    @inlinable
    static func run(_ starts: [Start], _ downstream: Observer<Combination>) {
        let coordinator = Operator(NaryCombiner(count: starts.count), downstream, reduce)
        if starts.isEmpty { downstream.lifetime.finish() }
        for (index, start) in starts.enumerated() {
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.ended($0, index)) }
            start(Observer(lifetime) { coordinator.submit(.arrived($0, index), by: reduce) })
        }
    }

    @inlinable
    @inline(__always)
    @Sendable
    static func reduce(
        _ combiner: inout NaryCombiner, to event: Event, _ observer: Observer<Combination>, _: Operator
    ) -> Operator.Outcome {
        switch event {
        case .arrived(let value, let index):
            guard combiner.add(value, at: index) else { return .continue }
            observer.next(combiner.row)
            return combiner.goOn() ? .finish(nil) : .continue
        case .ended(let error?, _): return .finish(error)
        case .ended(nil, let index): return combiner.end(index) ? .finish(nil) : .continue
        }
    }

    /// Adds a value; returns whether there is a combination to send.
    @inlinable
    mutating func add(_ value: Input.Value, at index: Int) -> Bool {
        guard row.isEmpty else {
            row[index] = value
            return true
        }
        if inputs[index].isEmpty { missing -= 1 }
        inputs[index].add(value)
        guard missing == 0 else { return false }
        for index in inputs.indices {
            if let value = inputs[index].next() { row.append(value) }
            if inputs[index].isEmpty { missing += 1 }
        }
        if Input.lasts { inputs = [] }
        return true
    }

    /// Removes the combination that was sent; returns whether the stream is complete.
    @inlinable
    mutating func goOn() -> Bool {
        if Input.lasts { return false }
        row.removeAll(keepingCapacity: true)
        return running < inputs.count && inputs.indices.contains { isOver[$0] && inputs[$0].isEmpty }
    }

    /// Marks an input as complete; returns whether the stream is complete.
    @inlinable
    mutating func end(_ index: Int) -> Bool {
        isOver[index] = true
        running -= 1
        return running == 0 || row.isEmpty && inputs[index].isEmpty
    }
}

extension Observable {
    /// Combines inputs of different types.
    ///
    /// The types are erased inside: code that is generic over a parameter pack is never specialised, and each value would pay
    /// for that.
    static func combiner<each Value: Sendable>(
        by run: @escaping @Sendable ([@Sendable (Observer<any Sendable>) -> Void], Observer<[any Sendable]>) -> Void,
        name: StaticString = #function, _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(
            name: name,
            run: { downstream in
                var starts: [@Sendable (Observer<any Sendable>) -> Void] = []
                for stream in repeat each streams { starts.append(stream.runUntyped) }
                let observer = Observer<[any Sendable]>(downstream.lifetime) { row in
                    var row = Untyped(row)
                    do { downstream.next((repeat try row.next(as: (each Value).self))) } catch {}
                }
                run(starts, observer)
            })
    }

    private func runUntyped(_ downstream: Observer<any Sendable>) {
        run(Observer(downstream.lifetime) { downstream.next($0) })
    }
}

/// A combination whose element types are recovered.
private struct Untyped {
    struct TypeMismatch: Error {}

    private let row: [any Sendable]
    private var index = 0

    init(_ row: [any Sendable]) {
        self.row = row
    }

    mutating func next<Value>(as type: Value.Type) throws(TypeMismatch) -> Value {
        // Not by `as?`, which makes an optional whose type is looked up for each value.
        switch row[index] {
        case let value as Value:
            index += 1
            return value
        default: throw TypeMismatch()
        }
    }
}

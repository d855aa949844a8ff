@usableFromInline
struct ArrayCombiner<Buffer: InputBuffer>: Sendable {
    @usableFromInline typealias Combination = [Buffer.Value]
    @usableFromInline typealias InputCoordinator = Coordinator<ArrayCombiner, InputEvent, Combination>
    @usableFromInline typealias SubscribeFunction = @Sendable (Observer<Buffer.Value>) -> Void

    @usableFromInline
    enum InputEvent: Sendable {
        case arrived(Buffer.Value, Int)
        case ended((any Error)?, Int)
    }

    @usableFromInline var inputs: [Buffer]
    @usableFromInline var hasCompleted: [Bool]
    @usableFromInline var inputsWithoutValue: Int
    @usableFromInline var unfinishedInputs: Int
    // Empty until each input has a value. With `combineLatest`, it stays filled, and new values replace old ones.
    @usableFromInline var combination: Combination = []

    @inlinable
    init(count: Int) {
        inputs = Array(repeating: Buffer(), count: count)
        hasCompleted = Array(repeating: false, count: count)
        inputsWithoutValue = count
        unfinishedInputs = count
    }

    @inlinable
    static func run(_ subscribeFunctions: [SubscribeFunction], _ downstream: Observer<Combination>) {
        let coordinator = InputCoordinator(ArrayCombiner(count: subscribeFunctions.count), downstream, reduce)
        if subscribeFunctions.isEmpty { downstream.lifetime.finish() }
        for (index, subscribe) in subscribeFunctions.enumerated() {
            let lifetime = Lifetime(in: downstream.lifetime) { coordinator.submit(.ended($0, index)) }
            subscribe(Observer(lifetime) { coordinator.submit(.arrived($0, index), by: reduce) })
        }
    }

    @inlinable
    @inline(__always)
    @Sendable
    static func reduce(
        _ combiner: inout ArrayCombiner, to event: InputEvent, _ observer: Observer<Combination>, _: InputCoordinator
    ) -> InputCoordinator.ControlFlow {
        switch event {
        case .arrived(let value, let index):
            guard combiner.add(value, at: index) else { return .continue }
            observer.next(combiner.combination)
            return combiner.removeCombination() ? .finish(nil) : .continue
        case .ended(let error?, _): return .finish(error)
        case .ended(nil, let index): return combiner.end(index) ? .finish(nil) : .continue
        }
    }

    /// Adds a value; returns whether there is a combination to send.
    @inlinable
    mutating func add(_ value: Buffer.Value, at index: Int) -> Bool {
        guard combination.isEmpty else {
            combination[index] = value
            return true
        }
        if inputs[index].isEmpty { inputsWithoutValue -= 1 }
        inputs[index].add(value)
        guard inputsWithoutValue == 0 else { return false }
        for index in inputs.indices {
            if let value = inputs[index].next() { combination.append(value) }
            if inputs[index].isEmpty { inputsWithoutValue += 1 }
        }
        if Buffer.reusesValues { inputs = [] }
        return true
    }

    /// For `zip`, removes the sent combination and returns whether `zip` completes; for `combineLatest`, returns false.
    @inlinable
    mutating func removeCombination() -> Bool {
        if Buffer.reusesValues { return false }
        combination.removeAll(keepingCapacity: true)
        return unfinishedInputs < inputs.count && inputs.indices.contains { hasCompleted[$0] && inputs[$0].isEmpty }
    }

    /// Marks an input as complete; returns whether the operator completes.
    @inlinable
    mutating func end(_ index: Int) -> Bool {
        hasCompleted[index] = true
        unfinishedInputs -= 1
        return unfinishedInputs == 0 || combination.isEmpty && inputs[index].isEmpty
    }
}

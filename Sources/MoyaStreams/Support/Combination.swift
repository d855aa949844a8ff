public import Moya

/// When the values of several inputs go on together, and when that ends: a pure value.
@usableFromInline
protocol Combining: Sendable {
    init(count: Int)

    /// Says whether the inputs now have what goes on together.
    mutating func arrive(at index: Int) -> Bool

    /// What goes on was taken; says whether that was the end.
    mutating func goOn() -> Bool

    /// Says whether that is the end of all.
    mutating func end(_ index: Int) -> Bool
}

/// What one of several inputs has sent.
///
/// The values wait here while only their arrival passes the gate: nothing is allocated for them.
@usableFromInline
final class Inlet<Value: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var waiting = Queue<Value>()
        @usableFromInline var latest: Value?

        @inlinable
        init() {}
    }

    /// Nothing has arrived.
    @usableFromInline
    struct IsEmpty: Error {
        @inlinable
        init() {}
    }

    @usableFromInline let state = Guarded(State())

    @inlinable
    init() {}

    @inlinable
    func put(_ value: Value) {
        state.withLock { $0.waiting.append(value) }
    }

    /// Takes the oldest.
    @inlinable
    func next() throws -> Value {
        guard let value = state.withLock({ $0.waiting.popFirst() }) else { throw IsEmpty() }
        return value
    }

    /// Makes the oldest that waits the latest.
    @inlinable
    func advance() {
        let old = state.withLock { state in
            defer { state.latest = state.waiting.popFirst() }
            return state.latest
        }
        withExtendedLifetime(old) {}
    }

    @inlinable
    func latest() throws -> Value {
        guard let value = state.withLock({ $0.latest }) else { throw IsEmpty() }
        return value
    }
}

/// Several inputs that are told by number, and one output.
@usableFromInline
struct Combination<Rule: Combining, Output: Sendable>: Sendable {
    @usableFromInline
    enum Input: Sendable {
        case arrived(Int)
        case ended(Int, (any Error)?)
    }

    @usableFromInline let junction: Junction<Rule, Input, Output>
    @usableFromInline let lifetime: Lifetime

    /// - Parameters:
    ///   - count: how many inputs there are.
    ///   - arrived: called inside the gate with the number of an input that has a value more.
    ///   - collect: takes what goes on together.
    @inlinable
    init(
        count: Int, _ downstream: Observer<Output>, arrived: @escaping @Sendable (Int) -> Void = { _ in },
        collect: @escaping @Sendable () -> Output?
    ) {
        lifetime = downstream.lifetime
        junction = Junction(Rule(count: count), downstream) { rule, input, observer, _ in
            switch input {
            case .arrived(let index):
                arrived(index)
                guard rule.arrive(at: index), let output = collect() else { return .goesOn }
                observer.next(output)
                return rule.goOn() ? .ends(nil) : .goesOn
            case .ended(let index, let error):
                if let error { return .ends(error) }
                return rule.end(index) ? .ends(nil) : .goesOn
            }
        }
    }

    @inlinable
    func join<Value>(_ stream: Observable<Value>, as index: Int, through inlet: Inlet<Value>) {
        guard !lifetime.isOver else { return }
        let lifetime = Lifetime(in: lifetime) { [junction] error in junction.pass(.ended(index, error)) }
        stream.run(
            Observer(lifetime) { [junction] value in
                inlet.put(value)
                junction.pass(.arrived(index))
            })
    }
}

/// When the values of several inputs go on together, and when that ends: a pure value.
///
/// The values are of many types, and known as such only before and behind it: what is generic over a pack of types is never
/// specialised, and each value would pay for it.
protocol Combining: Sendable {
    /// How many inputs there are.
    var count: Int { get }

    /// What goes on together, when `arrive` has said so.
    var together: [any Sendable] { get }

    /// Says whether the inputs now have what goes on together.
    mutating func arrive(_ value: any Sendable, at index: Int) -> Bool

    /// What was together has gone on; says whether that was the end.
    mutating func goOn() -> Bool

    /// Says whether that is the end of all.
    mutating func end(_ index: Int) -> Bool
}

/// Several inputs that are told by number, and one output.
struct Combination: Sendable {
    enum Input: Sendable {
        case arrived(Int, any Sendable)
        case ended(Int, (any Error)?)
    }

    /// Takes what goes on together.
    typealias Send = @Sendable ([any Sendable]) -> Void
    /// Makes one of so many inputs.
    typealias Make = @Sendable (Int, Lifetime, @escaping Send) -> Combination

    private let pass: @Sendable (Input) -> Void
    private let lifetime: Lifetime

    /// - Parameters:
    ///   - rule: of so many inputs; without any it completes.
    ///   - send: takes what goes on together.
    init<Rule: Combining>(
        _ rule: Rule, in lifetime: Lifetime, send: @escaping Send
    ) {
        self.lifetime = lifetime
        let junction = Junction<Rule, Input, [any Sendable]>(rule, Observer(lifetime, next: send)) {
            rule, input, observer, _ in
            switch input {
            case .arrived(let index, let value):
                guard rule.arrive(value, at: index) else { return .goesOn }
                observer.next(rule.together)
                return rule.goOn() ? .ends(nil) : .goesOn
            case .ended(let index, let error):
                if let error { return .ends(error) }
                return rule.end(index) ? .ends(nil) : .goesOn
            }
        }
        pass = { junction.pass($0) }
        if rule.count == 0 { lifetime.finish() }
    }

    /// - Parameter index: its number; the next one's after this.
    func join<Value: Sendable>(_ stream: Observable<Value>, as index: inout Int) {
        let number = index
        index += 1
        let lifetime = Lifetime(in: lifetime) { [pass] error in pass(.ended(number, error)) }
        stream.run(Observer(lifetime) { [pass] value in pass(.arrived(number, value)) })
    }
}

/// The values that went on together, by their types.
struct Together {
    struct IsNot: Error {}

    private let values: [any Sendable]
    private var index = 0

    init(_ values: [any Sendable]) {
        self.values = values
    }

    mutating func next<Value>(as type: Value.Type = Value.self) throws(IsNot) -> Value {
        // Not by `as?`: it makes an optional, whose type is looked up for each value.
        switch values[index] {
        case let value as Value:
            index += 1
            return value
        default: throw IsNot()
        }
    }
}

extension Observable {
    static func combining<each Value: Sendable>(
        by make: @escaping Combination.Make, name: StaticString = #function, _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(
            name: name,
            run: { downstream in
                var count = 0
                for _ in repeat each streams { count += 1 }
                let combination = make(count, downstream.lifetime) { values in
                    var values = Together(values)
                    do { downstream.next((repeat try values.next(as: (each Value).self))) } catch {}
                }
                var index = 0
                for stream in repeat each streams { combination.join(stream, as: &index) }
            })
    }

    static func combining<Value: Sendable>(
        by make: @escaping Combination.Make, name: StaticString = #function, _ streams: [Observable<Value>]
    ) -> Observable where Element == [Value] {
        Observable(
            name: name,
            run: { downstream in
                let combination = make(streams.count, downstream.lifetime) { values in
                    downstream.next(values.compactMap { $0 as? Value })
                }
                var index = 0
                for stream in streams { combination.join(stream, as: &index) }
            })
    }
}

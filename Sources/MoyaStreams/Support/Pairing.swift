/// The rows of two inputs: of their types, and inlinable, so that it is specialised where the stream is made.
@usableFromInline
struct Pairing<First: Supply, Second: Supply>: Sendable {
    @usableFromInline typealias Row = (First.Value, Second.Value)
    @usableFromInline typealias Place = Junction<Pairing, Input, Row>

    @usableFromInline
    enum Input: Sendable {
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
        _ first: Observable<First.Value>, _ second: Observable<Second.Value>, _ downstream: Observer<Row>
    ) {
        let place = Place(Pairing(), downstream, react)
        let one = Lifetime(in: downstream.lifetime) { place.pass(.firstEnded($0)) }
        first.run(Observer(one) { place.pass(.first($0), by: react) })
        let other = Lifetime(in: downstream.lifetime) { place.pass(.secondEnded($0)) }
        second.run(Observer(other) { place.pass(.second($0), by: react) })
    }

    @inlinable
    @inline(__always)
    @Sendable
    static func react(_ pairing: inout Pairing, to input: Input, _ observer: Observer<Row>, _: Place) -> Place.Outcome {
        switch input {
        case .first(let value): pairing.first.add(value)
        case .second(let value): pairing.second.add(value)
        case .firstEnded(let error): return pairing.end(\.isFirstOver, error)
        case .secondEnded(let error): return pairing.end(\.isSecondOver, error)
        }
        if let row = pairing.next() { observer.next(row) }
        return pairing.isOver ? .ends(nil) : .goesOn
    }

    @inlinable
    mutating func next() -> Row? {
        guard !first.isEmpty, !second.isEmpty, let one = first.next(), let other = second.next() else { return nil }
        return (one, other)
    }

    @inlinable
    mutating func end(_ isInputOver: WritableKeyPath<Pairing, Bool>, _ error: (any Error)?) -> Place.Outcome {
        if let error { return .ends(error) }
        self[keyPath: isInputOver] = true
        return isOver ? .ends(nil) : .goesOn
    }

    @inlinable var isOver: Bool {
        isFirstOver && (isSecondOver || first.isEmpty) || isSecondOver && second.isEmpty
    }
}

// Streams of several types are combined as an array of values without a type: an enum of input events can't be generic
// over a parameter pack.
func combined<each Source: Subscribable>(
    _ streams: repeat each Source, by combine: ([Observable<any Sendable>]) -> Observable<[any Sendable]>
) -> Observable<(repeat (each Source).Element)> {
    var erased: [Observable<any Sendable>] = []
    for stream in repeat each streams { erased.append(stream.observable.map { $0 }) }
    return combine(erased).map { values in
        var values = values.makeIterator()
        func next<Value>(as type: Value.Type) -> Value {
            guard let next = values.next(), let value = next as? Value else {
                preconditionFailure("zip or combineLatest: an input has no value for a combination")
            }
            return value
        }
        return (repeat next(as: (each Source).Element.self))
    }
}

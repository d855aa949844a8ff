// Streams of several types are combined as an array of values without a type: an enum of input events can't be generic
// over a parameter pack.
func erased<each Source: Subscribable>(_ streams: repeat each Source) -> [Observable<any Sendable>] {
    var erased: [Observable<any Sendable>] = []
    for stream in repeat each streams { erased.append(stream.observable.map { $0 }) }
    return erased
}

extension IndexingIterator<[any Sendable]> {
    mutating func next<Value>(as type: Value.Type) -> Value {
        guard let next = next(), let value = next as? Value else {
            preconditionFailure("zip or combineLatest: an input has no value for a combination")
        }
        return value
    }
}

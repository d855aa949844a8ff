extension Observable {
    /// Returns a stream of the values of a sequence.
    ///
    /// The iteration stops when the subscription ends, so the sequence may be infinite.
    ///
    /// ```text
    /// from([a, b, c]):  (abc|)
    /// ```
    @inlinable
    public static func from<S: Sequence<Element> & Sendable>(_ sequence: S) -> Observable {
        if sequence is [Element] || sequence is Range<Int> || sequence is ClosedRange<Int> {
            return Observable(
                source: .iterate { body in
                    for element in sequence { guard body(element) else { return false } }
                    return true
                })
        }
        return Observable(run: { observer in
            var iterator = sequence.makeIterator()
            while !observer.lifetime.isOver {
                guard let element = iterator.next() else { return observer.lifetime.finish() }
                observer.next(element)
            }
        })
    }

    /// Returns a stream of the given values.
    ///
    /// ```text
    /// of(a, b):  (ab|)
    /// ```
    public static func of(_ elements: Element...) -> Observable { from(elements) }

    /// Returns a stream that sends the value of a success, or fails with the error of a failure.
    public static func from(_ result: Result<Element, some Error>) -> Observable {
        switch result {
        case .success(let element): .just(element)
        case .failure(let error): .error(error)
        }
    }
}

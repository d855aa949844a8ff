extension Observable {
    /// The values of a sequence, then completion.
    ///
    /// A value is only pulled while somebody listens, so that the sequence may be infinite.
    ///
    /// ```text
    /// from([a, b, c]):  (abc|)
    /// ```
    @inlinable
    public static func from<S: Sequence<Element> & Sendable>(_ sequence: S) -> Observable {
        // Any other sequence is foreign code, which may wait for something.
        let completesSynchronously = sequence is [Element] || sequence is Range<Int> || sequence is ClosedRange<Int>
        return Observable(
            completesSynchronously: completesSynchronously,
            run: { observer in
                var iterator = sequence.makeIterator()
                while !observer.lifetime.isOver {
                    guard let element = iterator.next() else { return observer.lifetime.finish() }
                    observer.next(element)
                }
            })
    }

    /// These values, then completion.
    ///
    /// ```text
    /// of(a, b):  (ab|)
    /// ```
    public static func of(_ elements: Element...) -> Observable { from(elements) }

    /// The value of a success, then completion; or the failure.
    public static func from(_ result: Result<Element, some Error>) -> Observable {
        switch result {
        case .success(let element): .just(element)
        case .failure(let error): .error(error)
        }
    }
}

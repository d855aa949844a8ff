extension Subscribable {
    /// Combines the values and sends each intermediate result, but not the seed.
    ///
    /// ```text
    /// source:          1--2--3|
    /// scan(0, +):      1--3--6|
    /// ```
    /// Fails with an error that `accumulate` throws.
    @inlinable
    public func scan<Result: Sendable>(
        _ seed: Result, _ accumulate: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> {
        scan(into: seed) { result, element in result = try accumulate(result, element) }
    }

    /// Combines the values in place and sends each intermediate result, but not the initial value.
    ///
    /// ```swift
    /// words.scan(into: [:]) { counts, word in counts[word, default: 0] += 1 }
    /// ```
    /// Fails with an error that `accumulate` throws.
    @inlinable
    public func scan<Result: Sendable>(
        into initial: Result, _ accumulate: @escaping @Sendable (inout Result, Element) throws -> Void
    ) -> Observable<Result> {
        stateful(initial) { accumulated, element, downstream in
            try accumulated.change { try accumulate(&$0, element) }
            downstream.next(accumulated.value)
        }
    }
}

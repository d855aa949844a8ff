extension Subscribable {
    /// Combines all values and sends the result after the source has completed.
    ///
    /// ```text
    /// source:          1--2--3|
    /// reduce(0, +):    -------(6|)
    /// ```
    /// Fails with an error that `accumulate` throws. At the end of a long chain, write `{ $0 + $1 }` instead of `+`:
    /// the compiler tries each overload of an operator with the whole chain, which can take too long.
    @inlinable
    public func reduce<Result: Sendable>(
        _ seed: Result, _ accumulate: @escaping @Sendable (Result, Element) throws -> Result
    ) -> Observable<Result> {
        reduce(into: seed) { result, element in result = try accumulate(result, element) }
    }

    /// Combines all values in place and sends the result after the source has completed.
    ///
    /// ```swift
    /// pages.reduce(into: []) { users, page in users += page.users }
    /// ```
    /// Fails with an error that `accumulate` throws.
    @inlinable
    public func reduce<Result: Sendable>(
        into initial: Result, _ accumulate: @escaping @Sendable (inout Result, Element) throws -> Void
    ) -> Observable<Result> {
        stateful(initial) { accumulated, element, _ in
            try accumulated.change { try accumulate(&$0, element) }
        } atEnd: { result, downstream in
            downstream.send(result)
        }
    }
}

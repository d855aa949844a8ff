extension Subscribable {
    /// Combines each value with the latest value of another stream.
    ///
    /// ```text
    /// source:               a---b---c|
    /// other:                --1--2
    /// withLatestFrom(_:):   ----{b,1}---{c,2}|
    /// ```
    /// Values that arrive before the first value of `other` are dropped. `other` is subscribed first. Completion of
    /// `other` is ignored; a failure of `other` fails the stream. Buffers one value.
    public func withLatestFrom<Other: Sendable>(
        _ other: some Subscribable<Other>
    ) -> Observable<(Element, Other)> {
        combine(with: other.observable, Other?.none) { latest, event, observer in
            switch event {
            case .other(let value): latest = value
            case .next(let element): if let latest { observer.send((element, latest)) }
            case .end(let error): return observer.lifetime.end(error)
            case .otherEnd(let error): if let error { return observer.lifetime.end(error) }
            }
        }
    }

    /// Sends the result of a closure for each value and the latest value of another stream.
    ///
    /// Behaves like `withLatestFrom(_:)`, and fails with an error that `resultSelector` throws.
    public func withLatestFrom<Other: Sendable, Output: Sendable>(
        _ other: some Subscribable<Other>,
        resultSelector: @escaping @Sendable (Element, Other) throws -> Output
    ) -> Observable<Output> {
        withLatestFrom(other).map { pair in try resultSelector(pair.0, pair.1) }
    }
}

extension Observable {
    /// Sends a pair of the latest values of two streams each time one of the streams sends a value.
    ///
    /// ```text
    /// a:                     1----2---|
    /// b:                     --x----y---|
    /// combineLatest(a, b):   --{1x}--{2x}-{2y}---|
    /// ```
    /// The first pair is sent when both streams have sent a value. Completes when both streams have completed, or
    /// immediately when one stream completes without a value. Fails with the first failure. Buffers one value of each
    /// stream.
    ///
    /// ```swift
    /// Observable.combineLatest(name.observable, isValid.observable).map { name, isValid in isValid ? name : "" }
    /// ```
    @inlinable
    public static func combineLatest<First: Sendable, Second: Sendable>(
        _ first: Observable<First>, _ second: Observable<Second>
    ) -> Observable where Element == (First, Second) {
        Observable(run: { BinaryCombiner<LatestValue<First>, LatestValue<Second>>.run(first, second, $0) })
    }

    /// Sends the latest values of several streams each time one of the streams sends a value.
    ///
    /// Behaves like `combineLatest` for two streams, which is a separate overload, because a parameter pack is several
    /// times slower.
    public static func combineLatest<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(run: { VariadicCombiner<repeat LatestValue<each Value>>.run(repeat each streams, downstream: $0) })
    }

    /// Sends the result of a closure for the latest values of several streams.
    ///
    /// ```swift
    /// Observable.combineLatest(name.observable, age.observable) { name, age in Person(name: name, age: age) }
    /// ```
    /// Fails with an error that `resultSelector` throws.
    public static func combineLatest<each Value: Sendable>(
        _ streams: repeat Observable<each Value>,
        resultSelector: @escaping @Sendable (repeat each Value) throws -> Element
    ) -> Observable {
        Observable<(repeat each Value)>.combineLatest(repeat each streams).map { values in
            try resultSelector(repeat each values)
        }
    }

    /// Sends arrays of the latest values of several streams of one type.
    ///
    /// Completes immediately if `streams` is empty; otherwise behaves like `combineLatest` for two streams.
    @inlinable
    public static func combineLatest<Value: Sendable>(
        _ streams: [Observable<Value>]
    ) -> Observable where Element == [Value] {
        Observable(run: { ArrayCombiner<LatestValue<Value>>.run(streams.map { $0.run }, $0) })
    }
}

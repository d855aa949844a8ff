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
    /// Observable.combineLatest(name, isValid).map { name, isValid in isValid ? name : "" }
    /// ```
    @inlinable
    public static func combineLatest<First: Sendable, Second: Sendable>(
        _ first: some Subscribable<First>, _ second: some Subscribable<Second>
    ) -> Observable where Element == (First, Second) {
        Observable(run: { [first = first.observable, second = second.observable] downstream in
            BinaryCombiner<LatestValue<First>, LatestValue<Second>>.run(first, second, downstream)
        })
    }

    /// Sends the latest values of several streams each time one of the streams sends a value.
    ///
    /// Behaves like `combineLatest` for two streams, which is a separate overload, because a parameter pack is several
    /// times slower.
    public static func combineLatest<each Source: Subscribable>(
        _ streams: repeat each Source
    ) -> Observable where Element == (repeat (each Source).Element) {
        combined(repeat each streams) { .combineLatest($0) }
    }

    /// Sends the result of a closure for the latest values of several streams.
    ///
    /// ```swift
    /// Observable.combineLatest(name, age) { name, age in Person(name: name, age: age) }
    /// ```
    /// Fails with an error that `resultSelector` throws.
    public static func combineLatest<each Source: Subscribable>(
        _ streams: repeat each Source,
        resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
    ) -> Observable {
        Observable<(repeat (each Source).Element)>.combineLatest(repeat each streams).map { values in
            try resultSelector(repeat each values)
        }
    }

    /// Sends arrays of the latest values of several streams of one type.
    ///
    /// Completes immediately if `streams` is empty; otherwise behaves like `combineLatest` for two streams.
    @inlinable
    public static func combineLatest<Source: Subscribable>(
        _ streams: [Source]
    ) -> Observable where Element == [Source.Element] {
        Observable(run: { ArrayCombiner<LatestValue<Source.Element>>.run(streams.map { $0.observable }, $0) })
    }
}

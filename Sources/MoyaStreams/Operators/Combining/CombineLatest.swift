extension Observable {
    /// The latest values of two streams together, whenever one of them sends, once both have.
    ///
    /// ```text
    /// a:                     1----2---|
    /// b:                     --x----y---|
    /// combineLatest(a, b):   --(1x)-(2x)-(2y)-|
    /// ```
    /// Completes when all have, or at once when one completes without a value; fails with the first failure. Buffers one
    /// value for each stream.
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

    /// The latest values of several streams together.
    ///
    /// Two have a function of their own, because what is generic over a pack of types is several times as slow.
    public static func combineLatest<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        combiner(by: NaryCombiner<LatestValue<any Sendable>>.run, repeat each streams)
    }

    /// The latest values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    @inlinable
    public static func combineLatest<Value: Sendable>(
        _ streams: [Observable<Value>]
    ) -> Observable where Element == [Value] {
        Observable(run: { NaryCombiner<LatestValue<Value>>.run(streams.map { $0.run }, $0) })
    }
}

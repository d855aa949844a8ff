public import MoyaScheduling

extension Observable {
    /// Combines the values of two streams by their index: both first values, both second values, and so on.
    ///
    /// ```text
    /// a:           1--2----3|
    /// b:           -x----y--z-|
    /// zip(a, b):   -{1x}----{2y}--({3z}|)
    /// ```
    /// Completes as soon as one of the streams has completed and has no buffered value; fails with the first failure.
    /// Buffers each value, without limit, until the other stream sends the value with the same index.
    ///
    /// ```swift
    /// Observable.zip(provider.request(.user), provider.request(.settings)).subscribeNext { user, settings in … }
    /// ```
    @inlinable
    public static func zip<First: Sendable, Second: Sendable>(
        _ first: Observable<First>, _ second: Observable<Second>
    ) -> Observable where Element == (First, Second) {
        Observable(run: { BinaryCombiner<Queue<First>, Queue<Second>>.run(first, second, $0) })
    }

    /// Combines the values of several streams by their index.
    ///
    /// Behaves like `zip` for two streams. Two streams have a function of their own, because a parameter pack is
    /// several times slower.
    public static func zip<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(run: { VariadicCombiner<repeat Queue<each Value>>.run(repeat each streams, downstream: $0) })
    }

    /// Combines the values of several streams by their index, and sends the result of a closure for each combination.
    ///
    /// ```swift
    /// Observable.zip(provider.requestValue(.user), provider.requestValue(.settings)) { user, settings in
    ///     Profile(user: user, settings: settings)
    /// }
    /// ```
    /// Fails with an error that `resultSelector` throws.
    public static func zip<each Value: Sendable>(
        _ streams: repeat Observable<each Value>,
        resultSelector: @escaping @Sendable (repeat each Value) throws -> Element
    ) -> Observable {
        Observable<(repeat each Value)>.zip(repeat each streams).map { values in
            try resultSelector(repeat each values)
        }
    }

    /// Combines the values of several streams of one type by their index, as arrays.
    ///
    /// Completes immediately if `streams` is empty; otherwise behaves like `zip` for two streams.
    @inlinable
    public static func zip<Value: Sendable>(_ streams: [Observable<Value>]) -> Observable where Element == [Value] {
        Observable(run: { ArrayCombiner<Queue<Value>>.run(streams.map { $0.run }, $0) })
    }
}

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
        _ first: some Subscribable<First>, _ second: some Subscribable<Second>
    ) -> Observable where Element == (First, Second) {
        Observable(run: { [first = first.observable, second = second.observable] downstream in
            BinaryCombiner<Queue<First>, Queue<Second>>.run(first, second, downstream)
        })
    }

    /// Combines the values of several streams by their index.
    ///
    /// Behaves like `zip` for two streams. Two streams have a function of their own, because a parameter pack is
    /// several times slower.
    public static func zip<each Source: Subscribable>(
        _ streams: repeat each Source
    ) -> Observable where Element == (repeat (each Source).Element) {
        combined(repeat each streams) { .zip($0) }
    }

    /// Combines the values of several streams by their index, and sends the result of a closure for each combination.
    ///
    /// ```swift
    /// Observable.zip(provider.requestValue(.user), provider.requestValue(.settings)) { user, settings in
    ///     Profile(user: user, settings: settings)
    /// }
    /// ```
    /// Fails with an error that `resultSelector` throws.
    public static func zip<each Source: Subscribable>(
        _ streams: repeat each Source,
        resultSelector: @escaping @Sendable (repeat (each Source).Element) throws -> Element
    ) -> Observable {
        Observable<(repeat (each Source).Element)>.zip(repeat each streams).map { values in
            try resultSelector(repeat each values)
        }
    }

    /// Combines the values of several streams of one type by their index, as arrays.
    ///
    /// Completes immediately if `streams` is empty; otherwise behaves like `zip` for two streams.
    @inlinable
    public static func zip<Source: Subscribable>(
        _ streams: [Source]
    ) -> Observable where Element == [Source.Element] {
        Observable(run: { ArrayCombiner<Queue<Source.Element>>.run(streams.map { $0.observable }, $0) })
    }
}

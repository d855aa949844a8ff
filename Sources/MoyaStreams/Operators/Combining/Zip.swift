public import MoyaScheduling

extension Observable {
    /// The values of two streams together: the first of each, the second of each, and so on.
    ///
    /// ```text
    /// a:           1--2----3|
    /// b:           -x----y--z-|
    /// zip(a, b):   -(1x)--(2y)--(3z|)
    /// ```
    /// Completes as soon as a stream has completed and none of its values waits; fails with the first failure. Buffers the
    /// values that wait for those of other streams, without limit.
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

    /// The values of several streams together.
    ///
    /// Two have a function of their own, because what is generic over a pack of types is several times as slow.
    public static func zip<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        combiner(by: NaryCombiner<Queue<any Sendable>>.run, repeat each streams)
    }

    /// The values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    @inlinable
    public static func zip<Value: Sendable>(_ streams: [Observable<Value>]) -> Observable where Element == [Value] {
        Observable(run: { NaryCombiner<Queue<Value>>.run(streams.map { $0.run }, $0) })
    }
}

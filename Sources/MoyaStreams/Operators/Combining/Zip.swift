extension Observable {
    /// The values of several streams together: the first of each, the second of each, and so on.
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
    public static func zip<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(run: { downstream in
            let inlets = (repeat Inlet<each Value>())
            var count = 0
            for _ in repeat each streams { count += 1 }
            let combination = Combination<Zipping, Element>(count: count, downstream) {
                try? (repeat (each inlets).next())
            }
            if count == 0 { downstream.lifetime.finish() }
            var index = 0
            for (stream, inlet) in repeat (each streams, each inlets) {
                combination.join(stream, as: index, through: inlet)
                index += 1
            }
        })
    }

    /// The values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    @inlinable
    public static func zip<Value: Sendable>(_ streams: [Observable<Value>]) -> Observable where Element == [Value] {
        Observable(run: { downstream in
            let inlets = streams.map { _ in Inlet<Value>() }
            let combination = Combination<Zipping, Element>(count: streams.count, downstream) {
                try? inlets.map { try $0.next() }
            }
            if streams.isEmpty { downstream.lifetime.finish() }
            for (index, stream) in streams.enumerated() {
                combination.join(stream, as: index, through: inlets[index])
            }
        })
    }
}

/// How many values of each input wait.
@usableFromInline
struct Zipping: Combining {
    @usableFromInline var waiting: [Int]
    @usableFromInline var isOver: [Bool]

    @inlinable
    init(count: Int) {
        waiting = Array(repeating: 0, count: count)
        isOver = Array(repeating: false, count: count)
    }

    @inlinable
    mutating func arrive(at index: Int) -> Bool {
        waiting[index] += 1
        return waiting.allSatisfy { $0 > 0 }
    }

    @inlinable
    mutating func goOn() -> Bool {
        for index in waiting.indices { waiting[index] -= 1 }
        return waiting.indices.contains { isOver[$0] && waiting[$0] == 0 }
    }

    @inlinable
    mutating func end(_ index: Int) -> Bool {
        isOver[index] = true
        return waiting[index] == 0
    }
}

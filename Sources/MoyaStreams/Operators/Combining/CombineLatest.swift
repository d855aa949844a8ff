extension Observable {
    /// The latest values of several streams together, whenever one of them sends, once all have.
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
    public static func combineLatest<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(run: { downstream in
            let inlets = (repeat Inlet<each Value>())
            var advances: [@Sendable () -> Void] = []
            for inlet in repeat each inlets { advances.append { inlet.advance() } }
            let combination = Combination<LatestOfAll, Element>(
                count: advances.count, downstream, arrived: { [advances] in advances[$0]() },
                collect: { try? (repeat (each inlets).latest()) })
            if advances.isEmpty { downstream.lifetime.finish() }
            var index = 0
            for (stream, inlet) in repeat (each streams, each inlets) {
                combination.join(stream, as: index, through: inlet)
                index += 1
            }
        })
    }

    /// The latest values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    @inlinable
    public static func combineLatest<Value: Sendable>(
        _ streams: [Observable<Value>]
    ) -> Observable where Element == [Value] {
        Observable(run: { downstream in
            let inlets = streams.map { _ in Inlet<Value>() }
            let combination = Combination<LatestOfAll, Element>(
                count: streams.count, downstream, arrived: { inlets[$0].advance() },
                collect: { try? inlets.map { try $0.latest() } })
            if streams.isEmpty { downstream.lifetime.finish() }
            for (index, stream) in streams.enumerated() {
                combination.join(stream, as: index, through: inlets[index])
            }
        })
    }
}

/// Who has sent a value, and who will not send another.
@usableFromInline
struct LatestOfAll: Combining {
    @usableFromInline var hasValue: [Bool]
    @usableFromInline var missing: Int
    @usableFromInline var running: Int

    @inlinable
    init(count: Int) {
        hasValue = Array(repeating: false, count: count)
        missing = count
        running = count
    }

    @inlinable
    mutating func arrive(at index: Int) -> Bool {
        if !hasValue[index] {
            hasValue[index] = true
            missing -= 1
        }
        return missing == 0
    }

    @inlinable
    mutating func goOn() -> Bool { false }

    @inlinable
    mutating func end(_ index: Int) -> Bool {
        running -= 1
        return running == 0 || !hasValue[index]
    }
}

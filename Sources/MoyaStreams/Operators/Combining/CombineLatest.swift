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
    public static func combineLatest<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        Observable(run: { downstream in
            var count = 0
            for _ in repeat each streams { count += 1 }
            let combination = LatestOfAll.combination(of: count, in: downstream.lifetime) { values in
                var values = Together(values)
                do { downstream.next((repeat try values.next(as: (each Value).self))) } catch {}
            }
            var index = 0
            for stream in repeat each streams { combination.join(stream, as: &index) }
        })
    }

    /// The latest values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    public static func combineLatest<Value: Sendable>(
        _ streams: [Observable<Value>]
    ) -> Observable where Element == [Value] {
        Observable(run: { downstream in
            let combination = LatestOfAll.combination(of: streams.count, in: downstream.lifetime) { values in
                downstream.next(values.compactMap { $0 as? Value })
            }
            var index = 0
            for stream in streams { combination.join(stream, as: &index) }
        })
    }
}

/// The latest value of each input.
private struct LatestOfAll: Combining {
    let count: Int
    private(set) var together: [any Sendable]
    private var hasValue: [Bool]
    private var missing: Int
    private var running: Int

    /// Here, where nothing is generic, it is specialised.
    static func combination(
        of count: Int, in lifetime: Lifetime, send: @escaping @Sendable ([any Sendable]) -> Void
    ) -> Combination {
        Combination(LatestOfAll(count: count), in: lifetime, send: send)
    }

    private init(count: Int) {
        self.count = count
        together = Array(repeating: (), count: count)
        hasValue = Array(repeating: false, count: count)
        missing = count
        running = count
    }

    mutating func arrive(_ value: any Sendable, at index: Int) -> Bool {
        together[index] = value
        if !hasValue[index] {
            hasValue[index] = true
            missing -= 1
        }
        return missing == 0
    }

    mutating func goOn() -> Bool { false }

    mutating func end(_ index: Int) -> Bool {
        running -= 1
        return running == 0 || !hasValue[index]
    }
}

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
        combining(by: LatestOfAll.combination, repeat each streams)
    }

    /// The latest values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    public static func combineLatest<Value: Sendable>(
        _ streams: [Observable<Value>]
    ) -> Observable where Element == [Value] {
        combining(by: LatestOfAll.combination, streams)
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
        of count: Int, in lifetime: Lifetime, send: @escaping Combination.Send
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

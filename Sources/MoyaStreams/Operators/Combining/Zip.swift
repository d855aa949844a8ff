import Moya

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
    public static func zip<each Value: Sendable>(
        _ streams: repeat Observable<each Value>
    ) -> Observable where Element == (repeat each Value) {
        combining(by: Zipping.combination, repeat each streams)
    }

    /// The values of several streams of one type together, as arrays.
    ///
    /// Without a stream it completes at once.
    public static func zip<Value: Sendable>(_ streams: [Observable<Value>]) -> Observable where Element == [Value] {
        combining(by: Zipping.combination, streams)
    }
}

/// The values of each input that wait.
private struct Zipping: Combining {
    let count: Int
    private(set) var together: [any Sendable] = []
    private var waiting: [Queue<any Sendable>]
    private var isOver: [Bool]
    /// How many inputs have none that waits.
    private var missing: Int

    /// Here, where nothing is generic, it is specialised.
    static func combination(
        of count: Int, in lifetime: Lifetime, send: @escaping Combination.Send
    ) -> Combination {
        Combination(Zipping(count: count), in: lifetime, send: send)
    }

    private init(count: Int) {
        self.count = count
        waiting = Array(repeating: Queue(), count: count)
        isOver = Array(repeating: false, count: count)
        missing = count
    }

    mutating func arrive(_ value: any Sendable, at index: Int) -> Bool {
        if waiting[index].isEmpty { missing -= 1 }
        waiting[index].append(value)
        guard missing == 0 else { return false }
        for index in waiting.indices {
            if let value = waiting[index].popFirst() { together.append(value) }
            if waiting[index].isEmpty { missing += 1 }
        }
        return true
    }

    mutating func goOn() -> Bool {
        together.removeAll(keepingCapacity: true)
        return waiting.indices.contains { isOver[$0] && waiting[$0].isEmpty }
    }

    mutating func end(_ index: Int) -> Bool {
        isOver[index] = true
        return waiting[index].isEmpty
    }
}

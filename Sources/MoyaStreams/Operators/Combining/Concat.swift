extension Observable {
    /// Sends the values of several streams, one stream after the other.
    ///
    /// ```text
    /// a:               a-b|
    /// b:               -x|
    /// concat([a, b]):  a-b-x|
    /// ```
    /// Each stream is subscribed after the previous stream has completed. Fails with the first failure. The call stack
    /// does not grow with the number of streams. Nor does it grow if the last stream is itself a concatenation.
    public static func concat(_ streams: [Observable]) -> Observable {
        let iterations = streams.compactMap(\.iteration)
        let depth = streams.map(\.depth).max() ?? 0
        if iterations.count == streams.count, depth < 32 {
            let iterate: Iteration = { body in
                for iterate in iterations { guard try iterate(body) else { return false } }
                return true
            }
            return Observable(source: .iterate(iterate, depth: depth + 1))
        }
        return Observable(run: { concat(LockedBox(Queue(streams))).run($0) })
    }

    /// Removes a stream before it runs: its observer retains the streams after it, which must not retain it in a cycle.
    private static func concat(_ streams: LockedBox<Queue<Observable>>) -> Observable {
        let (first, isLast) = streams.change { ($0.popFirst(), $0.isEmpty) }
        guard let first else { return .empty() }
        return isLast ? first : first.continued { error in error == nil ? concat(streams) : nil }
    }

    private var depth: Int { if case .iterate(_, let depth) = source { depth } else { 0 } }

    /// Sends the values of several streams, one stream after the other.
    public static func concat(_ streams: Observable...) -> Observable { concat(streams) }

    /// `concat` for signals, and for streams of several types.
    @_disfavoredOverload
    public static func concat(_ streams: any Subscribable<Element>...) -> Observable {
        concat(streams.map { $0.observable })
    }
}

extension Subscribable {
    /// `concat` for an observable, so that `other` may be written as `.deferred { … }`.
    public func concat(_ other: Observable<Element>) -> Observable<Element> {
        Observable.concat([observable, other])
    }

    /// Sends the values of this stream and, after its completion, the values of `other`.
    public func concat(_ other: some Subscribable<Element>) -> Observable<Element> {
        Observable.concat([observable, other.observable])
    }

    /// Sends the given values, then those of the source.
    ///
    /// ```text
    /// source:          --b|
    /// startWith(a):    a-b|
    /// ```
    public func startWith(_ elements: Element...) -> Observable<Element> {
        Observable.concat([.from(elements), observable])
    }
}

import MoyaScheduling

extension Observable {
    /// The values of one stream after the other.
    ///
    /// ```text
    /// a:               a-b|
    /// b:               -x|
    /// concat([a, b]):  a-b-x|
    /// ```
    /// Each is subscribed when the one before has completed. Fails with the first failure. The stack does not grow with
    /// their number, nor when the last one is such a stream itself, and so on.
    public static func concat(_ streams: [Observable]) -> Observable {
        Observable(
            completesSynchronously: streams.allSatisfy(\.completesSynchronously),
            run: { downstream in
                // Each is let go of when it runs: a source that is dropped without an end takes all this along (R21).
                let waiting = LockedBox(Queue(streams))
                let resubscriber = Resubscriber(downstream.lifetime) { _, resubscriber in
                    let (stream, isLast) = waiting.change { ($0.popFirst(), $0.isEmpty) }
                    guard let stream else { return downstream.lifetime.finish() }
                    if isLast { return stream.run(downstream) }
                    let lifetime = Lifetime(in: downstream.lifetime) { error in
                        if let error { downstream.lifetime.fail(error) } else { resubscriber.goOn() }
                    }
                    stream.run(Observer(lifetime, next: downstream.next))
                }
                resubscriber.goOn()
            })
    }

    /// The values of one stream after the other.
    public static func concat(_ streams: Observable...) -> Observable { concat(streams) }
}

extension Subscribable {
    /// The values of this stream, and when it has completed those of another.
    public func concat(_ other: some Subscribable<Element>) -> Observable<Element> {
        Observable.concat([observable, other.observable]).named()
    }

    /// These values first, then those of the source.
    ///
    /// ```text
    /// source:          --b|
    /// startWith(a):    a-b|
    /// ```
    public func startWith(_ elements: Element...) -> Observable<Element> {
        Observable.concat([.from(elements), observable]).named(hiding: 2)
    }
}

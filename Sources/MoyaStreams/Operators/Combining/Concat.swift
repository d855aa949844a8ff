extension Observable {
    /// The values of one stream after the other.
    ///
    /// ```text
    /// a:               a-b|
    /// b:               -x|
    /// concat([a, b]):  a-b-x|
    /// ```
    /// Each is subscribed when the one before has completed. Fails with the first failure.
    public static func concat(_ streams: [Observable]) -> Observable {
        Observable<Observable>.from(streams).flatMap(maxConcurrent: 1) { $0 }
    }

    /// The values of one stream after the other.
    public static func concat(_ streams: Observable...) -> Observable { concat(streams) }
}

extension Subscribable {
    /// The values of this stream, and when it has completed those of another.
    public func concat(_ other: some Subscribable<Element>) -> Observable<Element> {
        .concat([observable, other.observable])
    }

    /// These values first, then those of the source.
    ///
    /// ```text
    /// source:          --b|
    /// startWith(a):    a-b|
    /// ```
    public func startWith(_ elements: Element...) -> Observable<Element> {
        .concat([.from(elements), observable])
    }
}

extension Observable {
    /// The values of all streams as they come.
    ///
    /// ```text
    /// a:              a---b|
    /// b:              --x----y|
    /// merge([a, b]):  a-x-b--y|
    /// ```
    /// They are subscribed in their order. Completes when all have; fails with the first failure among them.
    @inlinable
    public static func merge(_ streams: [Observable]) -> Observable {
        Observable<Observable>.from(streams).flatMap { $0 }
    }

    /// The values of all streams as they come.
    public static func merge(_ streams: Observable...) -> Observable { merge(streams) }
}

extension Subscribable {
    /// The values of this stream and another as they come.
    public func merge(with other: some Subscribable<Element>) -> Observable<Element> {
        Observable.merge([observable, other.observable]).named(hiding: 2)
    }
}

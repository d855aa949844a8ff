extension Observable {
    /// Sends the values of all streams as they arrive.
    ///
    /// ```text
    /// a:              a---b|
    /// b:              --x----y|
    /// merge([a, b]):  a-x-b--y|
    /// ```
    /// The streams are subscribed in order. Completes when all streams have completed; fails with the first failure.
    @inlinable
    public static func merge(_ streams: [Observable]) -> Observable {
        Observable<Observable>.from(streams).flatMap { $0 }
    }

    /// Sends the values of all streams as they arrive.
    public static func merge(_ streams: Observable...) -> Observable { merge(streams) }

    /// `merge` for signals, and for streams of several types.
    @_disfavoredOverload
    public static func merge(_ streams: any Subscribable<Element>...) -> Observable {
        merge(streams.map { $0.observable })
    }
}

extension Subscribable {
    /// `merge(with:)` for an observable, so that `other` may be written as `.deferred { … }`.
    public func merge(with other: Observable<Element>) -> Observable<Element> {
        Observable.merge([observable, other])
    }

    /// Sends the values of this stream and of `other` as they arrive.
    public func merge(with other: some Subscribable<Element>) -> Observable<Element> {
        Observable.merge([observable, other.observable])
    }
}

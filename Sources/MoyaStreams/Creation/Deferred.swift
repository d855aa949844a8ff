extension Observable {
    /// The stream that `factory` makes, anew for each subscription.
    ///
    /// If `factory` throws, the stream fails with that.
    ///
    /// ```swift
    /// let now = Observable.deferred { .just(Date()) }
    /// ```
    public static func deferred(_ factory: @escaping @Sendable () throws -> Observable) -> Observable {
        Observable(run: { observer in
            do { try factory().run(observer) } catch { observer.lifetime.fail(error) }
        })
    }
}

extension Observable {
    /// Returns a stream that calls `factory` for each subscription and subscribes to the stream that `factory` returns.
    ///
    /// If `factory` throws, the stream fails with that error.
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

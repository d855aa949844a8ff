extension Subscribable {
    /// Sends the first `count` values, and completes immediately after the last of them.
    ///
    /// ```text
    /// source:     --a--b--c--d|
    /// take(2):    --a--(b|)
    /// ```
    /// After the completion, the source is released. `take(0)` completes without subscribing.
    @inlinable
    public func take(_ count: Int) -> Observable<Element> {
        guard count > 0 else { return .empty() }
        return Observable(
            completesSynchronously: observable.completesSynchronously,
            run: { [source = observable] downstream in
                let next = downstream.next
                let lifetime = downstream.lifetime
                let counter = RemainingElementCount(count)
                source.run(
                    Observer(lifetime) { element in
                        let remaining = counter.decrement()
                        if remaining >= 0 { next(element) }
                        if remaining == 0 { lifetime.finish() }
                    })
            })
    }
}

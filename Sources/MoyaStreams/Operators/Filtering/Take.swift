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
        if let iteration = observable.iteration {
            return Observable(
                source: .iterate { body in
                    var remaining = count
                    var isStopped = false
                    let isComplete = try iteration { element in
                        remaining -= 1
                        isStopped = !body(element)
                        return !isStopped && remaining > 0
                    }
                    return isComplete || remaining == 0 && !isStopped
                })
        }
        return Observable(run: { [source = observable] downstream in
            let next = downstream.next
            let lifetime = downstream.lifetime
            let remaining = SerialCell(count)
            source.run(
                Observer(lifetime) { element in
                    let left = remaining.value - 1
                    remaining.value = left
                    if left >= 0 { next(element) }
                    if left == 0 { lifetime.finish() }
                })
        })
    }
}

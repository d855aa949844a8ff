public import Synchronization

extension Subscribable {
    /// The first `count` values, then completion: in the same turn as the last of them, and the source is released then.
    ///
    /// ```text
    /// source:     --a--b--c--d|
    /// take(2):    --a--(b|)
    /// ```
    /// `take(0)` completes without subscribing.
    @inlinable
    public func take(_ count: Int) -> Observable<Element> {
        guard count > 0 else { return .empty() }
        return Observable(
            completesSynchronously: observable.completesSynchronously,
            run: { [source = observable] downstream in
                let next = downstream.next
                let lifetime = downstream.lifetime
                let left = Counter(count)
                source.run(
                    Observer(lifetime) { element in
                        let left = left.next()
                        if left >= 0 { next(element) }
                        if left == 0 { lifetime.finish() }
                    })
            })
    }
}

/// A counter that is only used by one thread at a time.
@usableFromInline
final class Counter: Sendable {
    @usableFromInline let count: Atomic<Int>

    @inlinable
    init(_ count: Int) {
        self.count = Atomic(count)
    }

    @inlinable
    func next() -> Int {
        let left = count.load(ordering: .relaxed) - 1
        count.store(left, ordering: .relaxed)
        return left
    }
}

extension Subscribable {
    /// The values that differ from the one before.
    ///
    /// ```text
    /// source:                    a--a--b--a|
    /// distinctUntilChanged:      a-----b--a|
    /// ```
    /// An error that `isSame` throws becomes the stream's.
    @inlinable
    public func distinctUntilChanged(
        by isSame: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = downstream.lifetime
            let latest = LockedBox<Element?>(nil)
            source.run(
                Observer(lifetime) { element in
                    do {
                        if let before = latest.value, try isSame(before, element) { return }
                        latest.value = element
                        downstream.next(element)
                    } catch { lifetime.fail(error) }
                })
        })
    }
}

extension Subscribable {
    /// The values whose key differs from that of the one before.
    ///
    /// ```swift
    /// places.distinctUntilChanged(by: { $0.city })
    /// ```
    /// An error that `key` throws becomes the stream's.
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        by key: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let lifetime = downstream.lifetime
            let latest = LockedBox<Key?>(nil)
            source.run(
                Observer(lifetime) { element in
                    do {
                        let key = try key(element)
                        if latest.exchange(key) != key { downstream.next(element) }
                    } catch { lifetime.fail(error) }
                })
        })
    }
}

extension Subscribable where Element: Equatable {
    /// The values that differ from the one before.
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged { $0 == $1 }
    }
}

extension Subscribable {
    /// Drops each value for which `isSame` returns true.
    ///
    /// `isSame` is called with the last value that was sent and with the new value.
    ///
    /// ```text
    /// source:                    a--a--b--a|
    /// distinctUntilChanged:      a-----b--a|
    /// ```
    /// Fails with an error that `isSame` throws.
    @inlinable
    public func distinctUntilChanged(
        by isSame: @escaping @Sendable (Element, Element) throws -> Bool
    ) -> Observable<Element> {
        stateful(Element?.none) { latest, element, downstream in
            if let previous = latest.value, try isSame(previous, element) { return }
            latest.value = element
            downstream.next(element)
        }
    }

    /// Drops each value whose key equals the key of the previous value.
    ///
    /// ```swift
    /// places.distinctUntilChanged(by: { $0.city })
    /// ```
    /// Fails with an error that `key` throws.
    public func distinctUntilChanged<Key: Equatable & Sendable>(
        by key: @escaping @Sendable (Element) throws -> Key
    ) -> Observable<Element> {
        map { (key: try key($0), element: $0) }.distinctUntilChanged { $0.key == $1.key }.map(\.element)
    }
}

extension Subscribable where Element: Equatable {
    /// Drops each value that equals the previous value.
    @inlinable
    public func distinctUntilChanged() -> Observable<Element> {
        distinctUntilChanged { $0 == $1 }
    }
}

extension Observable {
    /// Returns a stream of one value.
    ///
    /// ```text
    /// just(a):  (a|)
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Observable {
        Observable(source: .just(element))
    }
}

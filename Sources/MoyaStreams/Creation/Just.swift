extension Observable {
    /// One value, then completion.
    ///
    /// ```text
    /// just(a):  (a|)
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Observable {
        Observable(source: .just(element))
    }
}

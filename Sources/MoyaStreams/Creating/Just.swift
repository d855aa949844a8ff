extension Observable {
    /// One value, then completion.
    ///
    /// ```text
    /// just(a):  (a|)
    /// ```
    @inlinable
    public static func just(_ element: Element) -> Observable {
        Observable(run: { observer in
            if !observer.lifetime.isOver { observer.next(element) }
            observer.lifetime.finish()
        })
    }
}

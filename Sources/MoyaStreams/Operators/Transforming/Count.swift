extension Subscribable {
    /// Sends the number of values after the source has completed.
    ///
    /// ```text
    /// source:    a--b--c|
    /// count():   -------(3|)
    /// ```
    public func count() -> Observable<Int> {
        reduce(into: 0) { count, _ in count += 1 }
    }
}

extension Subscribable where Element: Comparable {
    /// Sends the least value after the source has completed; completes without a value if there was none.
    ///
    /// ```text
    /// source:    2--1--3|
    /// min():     -------(1|)
    /// ```
    public func min() -> Observable<Element> {
        reduce(into: Element?.none) { least, element in least = Swift.min(least ?? element, element) }.compactMap { $0 }
    }

    /// Sends the greatest value after the source has completed; completes without a value if there was none.
    ///
    /// ```text
    /// source:    2--1--3|
    /// max():     -------(3|)
    /// ```
    public func max() -> Observable<Element> {
        reduce(into: Element?.none) { most, element in most = Swift.max(most ?? element, element) }.compactMap { $0 }
    }
}

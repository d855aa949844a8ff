extension Subscribable {
    /// Sends a default value if the source completes without a value.
    ///
    /// ```text
    /// source:                --|
    /// ifEmpty(default: a):   --(a|)
    /// ```
    public func ifEmpty(default element: Element) -> Observable<Element> {
        ifEmpty(switchTo: .just(element))
    }

    /// Continues with another stream if the source completes without a value.
    ///
    /// ```text
    /// source:                 --|
    /// ifEmpty(switchTo: o):   ----a|      (o: --a|)
    /// ```
    public func ifEmpty(switchTo other: Observable<Element>) -> Observable<Element> {
        .deferred { [source = observable] in
            let isEmpty = SerialCell(true)
            return source.handleEvents(onNext: { _ in isEmpty.value = false })
                .continued { $0 == nil && isEmpty.value ? other : nil }
        }
    }
}

extension Subscribable {
    /// Sends each value with its index, which starts at 0 for each subscription.
    ///
    /// ```text
    /// source:         a--b--c|
    /// enumerated():   {0a}--{1b}--{2c}|
    /// ```
    /// ```swift
    /// lines.enumerated().subscribeNext { index, line in print(index + 1, line) }
    /// ```
    public func enumerated() -> Observable<(index: Int, element: Element)> {
        Observable(run: { [source = observable] downstream in
            let next = downstream.next
            let count = SerialCell(0)
            source.run(
                Observer(downstream.lifetime) { element in
                    let index = count.change { count in
                        defer { count += 1 }
                        return count
                    }
                    next((index, element))
                })
        })
    }
}

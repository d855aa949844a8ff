extension Subscribable {
    /// The last values, once the source has completed.
    ///
    /// ```text
    /// source:          a--b--c|
    /// takeLast(2):     -------(bc|)
    /// ```
    /// Buffers up to `count` values; a failure drops them.
    public func takeLast(_ count: Int) -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            let elements = ElementList<Element>()
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                let last = elements.takeAll()
                if error == nil { for element in last { downstream.send(element) } }
                downstream.lifetime.end(error)
            }
            source.run(
                Observer(lifetime) { element in
                    guard count > 0 else { return }
                    let dropped = elements.append(element) > count ? elements.takeFirst() : nil
                    _ = dropped
                })
        })
    }
}

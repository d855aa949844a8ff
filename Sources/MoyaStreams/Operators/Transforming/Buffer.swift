extension Subscribable {
    /// The values in arrays of `count`.
    ///
    /// ```text
    /// source:             a-b-c|
    /// buffer(count: 2):   --[ab]--([c]|)
    /// ```
    /// The remainder comes on completion, and is dropped by a failure; no array is empty. Buffers up to `count` values; a
    /// count under one means one.
    public func buffer(count: Int) -> Observable<[Element]> {
        Observable(run: { [source = observable] downstream in
            let elements = ElementList<Element>()
            let lifetime = Lifetime(in: downstream.lifetime) { error in
                let rest = elements.takeAll()
                if error == nil, !rest.isEmpty { downstream.send(rest) }
                downstream.lifetime.end(error)
            }
            source.run(
                Observer(lifetime) { element in
                    if elements.append(element) >= count { downstream.next(elements.takeAll()) }
                })
        })
    }
}

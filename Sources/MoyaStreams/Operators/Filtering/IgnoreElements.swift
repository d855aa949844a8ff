extension Subscribable {
    /// The end alone.
    ///
    /// ```text
    /// source:              a--b|
    /// ignoreElements():    ----|
    /// ```
    public func ignoreElements() -> Observable<Element> {
        Observable(run: { [source = observable] downstream in
            source.run(Observer(downstream.lifetime) { _ in })
        })
    }
}

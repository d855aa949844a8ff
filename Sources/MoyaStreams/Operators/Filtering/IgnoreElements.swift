extension Subscribable {
    /// Drops all values; the terminal event remains.
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

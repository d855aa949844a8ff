extension Subscribable {
    /// Drops all values and sends the terminal event only.
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

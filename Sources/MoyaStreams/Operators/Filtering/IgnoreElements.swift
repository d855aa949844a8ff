extension Subscribable {
    /// Drops all values and sends only the terminal event.
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

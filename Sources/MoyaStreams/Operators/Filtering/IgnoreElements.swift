extension Subscribable {
    /// The end alone.
    ///
    /// ```text
    /// source:              a--b|
    /// ignoreElements():    ----|
    /// ```
    public func ignoreElements() -> Observable<Element> {
        Observable(run: { [run = observable.run] downstream in
            run(Observer(downstream.lifetime) { _ in })
        })
    }
}

extension Subscribable {
    /// Sends all values in one array after the source has completed.
    ///
    /// ```text
    /// source:       a--b--c|
    /// toArray():    -------({[a, b, c]}|)
    /// ```
    /// Buffers all values; a failure drops them.
    public func toArray() -> Observable<[Element]> {
        reduce(into: []) { $0.append($1) }
    }
}

extension Observable {
    /// Returns a stream that completes without a value.
    ///
    /// ```text
    /// empty():  |
    /// ```
    public static func empty() -> Observable {
        Observable(source: .iterate { _ in true })
    }
}

extension Observable {
    /// Returns a stream that completes without a value.
    ///
    /// ```text
    /// empty():  |
    /// ```
    public static func empty() -> Observable {
        Observable(completesSynchronously: true, run: { $0.lifetime.finish() })
    }
}

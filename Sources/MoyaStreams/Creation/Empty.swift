extension Observable {
    /// No value, then completion.
    ///
    /// ```text
    /// empty():  |
    /// ```
    public static func empty() -> Observable {
        Observable(completesSynchronously: true, run: { $0.lifetime.finish() })
    }
}

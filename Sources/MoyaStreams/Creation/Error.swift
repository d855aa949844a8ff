extension Observable {
    /// Returns a stream that fails with `error`.
    ///
    /// ```text
    /// error(e):  #
    /// ```
    public static func error(_ error: any Error) -> Observable {
        Observable(source: .iterate { _ in throw error })
    }
}

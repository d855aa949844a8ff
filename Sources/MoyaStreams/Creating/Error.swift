extension Observable {
    /// No value, then `error`.
    ///
    /// ```text
    /// error(e):  #
    /// ```
    public static func error(_ error: any Error) -> Observable {
        Observable(run: { $0.lifetime.fail(error) })
    }
}

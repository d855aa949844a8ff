extension Observable {
    /// Returns a stream without events.
    ///
    /// It does not retain its observer.
    ///
    /// ```text
    /// never():  -
    /// ```
    public static func never() -> Observable {
        Observable(run: { _ in })
    }
}

extension Observable {
    /// Returns a stream that sends no events.
    ///
    /// The stream does not retain its observer.
    ///
    /// ```text
    /// never():  -
    /// ```
    public static func never() -> Observable {
        Observable(run: { _ in })
    }
}

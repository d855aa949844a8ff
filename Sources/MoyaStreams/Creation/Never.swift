extension Observable {
    /// No event at all.
    ///
    /// It retains nothing of its subscriber.
    ///
    /// ```text
    /// never():  -
    /// ```
    public static func never() -> Observable {
        Observable(run: { _ in })
    }
}

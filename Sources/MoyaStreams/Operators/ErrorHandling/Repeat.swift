extension Subscribable {
    /// Subscribes to the source again each time it completes, for `times` runs of the source in total.
    ///
    /// ```text
    /// source:                a-b|
    /// repeat(times: 2):      a-ba-b|
    /// ```
    /// By default, repeats until the subscription is cancelled or the source fails. `repeat(times: 0)` completes
    /// without subscribing. The stack does not grow with the number of repetitions. Until `repeat` ends, it
    /// retains the source, even if the source is a ``Signal``.
    public func `repeat`(times: Int = .max) -> Observable<Element> {
        guard times > 0 else { return .empty() }
        return continued { [source = observable] error in
            error == nil && times > 1 ? source.repeat(times: times - 1) : nil
        }
    }
}

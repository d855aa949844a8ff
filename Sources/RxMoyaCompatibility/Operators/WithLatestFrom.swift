public import MoyaStreams

extension ObservableType {
    /// Sends the latest value of another stream for each value.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Other: Sendable>(_ second: some Subscribable<Other>) -> Observable<Other> {
        plain.withLatestFrom(second, resultSelector: { $1 })
    }
}

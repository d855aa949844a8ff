public import MoyaStreams

// RxSwift's `withLatestFrom(_:)` sends the values of the other stream, that of MoyaStreams sends pairs. The compiler
// prefers these overloads, because the types of their parameters are more specific.
extension Subscribable {
    /// Sends the latest value of another stream for each value.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Other: Sendable>(_ second: Observable<Other>) -> Observable<Other> {
        latest(of: second)
    }

    /// Sends the latest value of a signal for each value.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Other: Sendable>(_ second: Signal<Other>) -> Observable<Other> { latest(of: second) }

    /// Sends the latest value of a subject for each value.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Other: Sendable>(_ second: some SubjectType<Other>) -> Observable<Other> {
        latest(of: second)
    }

    /// Sends the latest value of a relay for each value.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Other: Sendable>(_ second: some Relay<Other>) -> Observable<Other> {
        latest(of: second)
    }

    /// Sends the value of a `Single` or `Maybe` for each value that arrives after it.
    @available(*, deprecated, message: "use withLatestFrom(_:resultSelector: { $1 }); without it, pairs are sent")
    public func withLatestFrom<Trait: Sendable, Other: Sendable>(
        _ second: PrimitiveSequence<Trait, Other>
    ) -> Observable<Other> { latest(of: second) }

    private func latest<Other: Sendable>(of other: some Subscribable<Other>) -> Observable<Other> {
        withLatestFrom(other, resultSelector: { $1 })
    }
}

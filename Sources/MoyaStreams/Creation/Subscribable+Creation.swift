// With these, the compiler finds `.just(1)` where a parameter may be any stream, as in `concat(.just(1))`.
extension Subscribable {
    /// The same as `Observable.just(_:)`.
    public static func just<Value>(_ element: Value) -> Self where Self == Observable<Value> {
        Observable<Value>.just(element)
    }

    /// The same as `Observable.from(_:)`.
    public static func from<Values: Sequence & Sendable>(
        _ sequence: Values
    ) -> Self where Self == Observable<Values.Element> { Observable<Values.Element>.from(sequence) }

    /// The same as `Observable.of(_:)`.
    public static func of<Value>(_ elements: Value...) -> Self where Self == Observable<Value> {
        Observable<Value>.from(elements)
    }

    /// The same as `Observable.empty()`.
    public static func empty<Value>() -> Self where Self == Observable<Value> { Observable<Value>.empty() }

    /// The same as `Observable.never()`.
    public static func never<Value>() -> Self where Self == Observable<Value> { Observable<Value>.never() }

    /// The same as `Observable.error(_:)`.
    public static func error<Value>(_ error: any Error) -> Self where Self == Observable<Value> {
        Observable<Value>.error(error)
    }
}

extension Subscribable where Self == Observable<Int> {
    /// The same as `Observable.timer(after:on:)`.
    public static func timer(after delay: Duration, on scheduler: any Scheduler) -> Self {
        Observable<Int>.timer(after: delay, on: scheduler)
    }

    /// The same as `Observable.interval(_:on:)`.
    public static func interval(_ interval: Duration, on scheduler: any Scheduler) -> Self {
        Observable<Int>.interval(interval, on: scheduler)
    }
}

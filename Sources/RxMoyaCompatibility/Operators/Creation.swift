public import MoyaStreams

/// Receives the events of a stream: a closure or another observer.
@available(*, deprecated, renamed: "Emitter")
public struct AnyObserver<Element: Sendable>: ObserverType {
    private let handle: @Sendable (Event<Element>) -> Void

    /// Creates an observer from a closure.
    @preconcurrency public init(eventHandler: @escaping @Sendable (Event<Element>) -> Void) { handle = eventHandler }
    /// Creates an observer that passes the events on.
    public init(_ observer: some ObserverType<Element>) { handle = { observer.on($0) } }
    /// Receives an event.
    public func on(_ event: Event<Element>) { handle(event) }
    /// Receives an event.
    public func callAsFunction(_ event: Event<Element>) { handle(event) }
    /// The observer itself.
    public func asObserver() -> AnyObserver { self }
}

/// RxSwift's type of durations.
@available(*, deprecated, renamed: "Duration")
public typealias RxTimeInterval = Duration

extension Observable {
    /// Creates a stream from a closure, which is called once for each subscription and sends the events.
    @available(*, deprecated, message: "use Observable { emitter in … } with emitter.onTermination { … }")
    @preconcurrency public static func create(
        _ subscribe: @escaping @Sendable (AnyObserver<Element>) -> any Cancellable
    ) -> Self { .withToken { subscribe(AnyObserver($0)) } }

    /// Returns a stream that sends the value of `optional` and completes; if `optional` is `nil`, only completes.
    @available(*, deprecated, message: "use .from(optional.map { [$0] } ?? [])")
    public static func from(optional: Element?) -> Self { .from(optional.map { [$0] } ?? []) }
    /// Subscribes to all `streams`, and sends the events of one of them: the stream that is first to send an event.
    @available(*, deprecated, renamed: "race(_:)")
    public static func amb(_ streams: [Observable]) -> Self { .race(streams) }
}

extension Observable where Element == Int {
    /// Returns a stream that sends `0`, `1`, `2` and so on, one number after each period.
    @available(*, deprecated, renamed: "interval(_:on:)")
    public static func interval(_ period: Duration, scheduler: any Scheduler) -> Self {
        .interval(period, on: scheduler)
    }

    /// Returns a stream that sends `0` after a delay, then completes.
    @available(*, deprecated, renamed: "timer(after:on:)")
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> Self {
        .timer(after: dueTime, on: scheduler)
    }

    /// Returns a stream that sends `0` after a delay, then `1`, `2` and so on, one number after each period.
    @available(*, deprecated, message: "use .timer(after:on:), and .interval(_:on:) for a period")
    public static func timer(_ dueTime: Duration, period: Duration?, scheduler: any Scheduler) -> Self {
        let first = Observable.timer(after: dueTime, on: scheduler)
        guard let period else { return first }
        return first.concat(Observable.interval(period, on: scheduler).map { $0 + 1 })
    }
}

extension Emitter {
    /// Sends a value.
    @available(*, deprecated, renamed: "send(_:)") public func onNext(_ element: Element) { send(element) }
    /// Ends the stream with an error.
    @available(*, deprecated, renamed: "fail(_:)") public func onError(_ error: any Error) { fail(error) }
    /// Completes the stream.
    @available(*, deprecated, renamed: "complete()") public func onCompleted() { complete() }
    /// Sends an event.
    @available(*, deprecated, renamed: "send(event:)") public func on(_ event: Event<Element>) { send(event: event) }
}

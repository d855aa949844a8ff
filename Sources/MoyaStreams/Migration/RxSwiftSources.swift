public import MoyaScheduling

// RxSwift's functions that create streams, and members of its observers and disposables. They are declared as
// unavailable, so that a compiler error names the replacement.

extension Observable {
    /// Not available: an initializer of `Observable` replaces this RxSwift method.
    @available(*, unavailable, message: "use Observable { emitter in … } with emitter.onTermination { … }")
    public static func create(
        _ subscribe: @escaping @Sendable (Emitter<Element>) -> any Cancellable
    ) -> Observable { .never() }

    /// Not available: convert the optional to an array of zero or one value, and pass the array to `from(_:)`.
    @available(*, unavailable, message: "use .from(optional.map { [$0] } ?? [])")
    public static func from(optional: Element?) -> Observable { .from(optional.map { [$0] } ?? []) }

    /// Not available: `race(_:)` replaces this RxSwift method.
    @available(*, unavailable, renamed: "race(_:)")
    public static func amb(_ streams: [Observable]) -> Observable { .race(streams) }
}

extension Observable where Element == Int {
    /// Not available: `interval(_:on:)` replaces this RxSwift method.
    @available(*, unavailable, renamed: "interval(_:on:)")
    public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable { .never() }

    /// Not available: `timer(after:on:)` replaces this RxSwift method.
    @available(*, unavailable, renamed: "timer(after:on:)")
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> Observable { .never() }

    /// Not available: use `timer(after:on:)` for one value, or `interval(_:on:)` for a value after each period.
    @available(*, unavailable, message: "use .timer(after:on:), and .interval(_:on:) for a period")
    public static func timer(_ dueTime: Duration, period: Duration?, scheduler: any Scheduler) -> Observable {
        .never()
    }

    /// Not available: pass a range to `from(_:)`.
    @available(*, unavailable, message: "use .from(start..<start + count)")
    public static func range(start: Int, count: Int) -> Observable { .from(start..<start + count) }
}

extension Emitter {
    /// Not available: use `send(_:)` and `complete()`, or `fail(_:)`.
    @available(*, unavailable, message: "use emitter.send(_:) and emitter.complete(), or emitter.fail(_:)")
    public func callAsFunction(_ result: Result<Element, any Error>) {}

    /// Not available: `send(_:)` replaces this RxSwift method.
    @available(*, unavailable, renamed: "send(_:)")
    public func onNext(_ element: Element) { send(element) }

    /// Not available: `fail(_:)` replaces this RxSwift method.
    @available(*, unavailable, renamed: "fail(_:)")
    public func onError(_ error: any Error) { fail(error) }

    /// Not available: `complete()` replaces this RxSwift method.
    @available(*, unavailable, renamed: "complete()")
    public func onCompleted() { complete() }

    /// Not available: `send(_:)` replaces this RxSwift method.
    @available(*, unavailable, renamed: "send(_:)")
    public func accept(_ element: Element) { send(element) }
}

extension Subscribable {
    /// Not available: a bag stores subscriptions, not streams; call `subscribe` first, then `store(in:)`.
    @available(*, unavailable, message: "subscribe to the stream first, and store(in: bag) the Subscription")
    public func disposed(by bag: SubscriptionBag) {}
}

extension Observable {
    /// Not available: use the method `value()`, which awaits the only value of a stream.
    @available(*, unavailable, renamed: "value()", message: "value() awaits the only value, first() the first one")
    public var value: Element { get async throws { try await first() } }
}

extension Cancellable {
    /// Not available: `cancel()` replaces this RxSwift method.
    @available(*, unavailable, renamed: "cancel()")
    public func dispose() { cancel() }

    /// Not available: `Subscription.store(in:)` replaces this RxSwift method.
    @available(*, unavailable, message: "use store(in: bag) of the Subscription; SubscriptionBag is DisposeBag")
    public func disposed(by bag: SubscriptionBag) {}
}

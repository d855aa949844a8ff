// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Stand-ins for RxSwift's functions that create streams, and for members of its observers and disposables.

extension Observable {
    @available(*, unavailable, message: "use Observable { emitter in … } with emitter.onTermination { … }")
    public static func create(_ subscribe: (Emitter<Element>) -> any Cancellable) -> Observable { .never() }

    @available(*, unavailable, message: "use .from(optional.map { [$0] } ?? [])")
    public static func from(optional: Element?) -> Observable { .from(optional.map { [$0] } ?? []) }

    @available(
        *, unavailable,
        message: "use Observable.combineLatest(_:) with the array, without the type of the result, and map(_:)"
    )
    public static func combineLatest<Source: Subscribable>(
        _ streams: [Source], resultSelector: ([Source.Element]) throws -> Element
    ) -> Observable { .never() }

    @available(
        *, unavailable, message: "use Observable.zip(_:) with the array, without the type of the result, and map(_:)"
    )
    public static func zip<Source: Subscribable>(
        _ streams: [Source], resultSelector: ([Source.Element]) throws -> Element
    ) -> Observable { .never() }

    @available(*, unavailable, renamed: "race(_:)")
    public static func amb(_ streams: [Observable]) -> Observable { .race(streams) }
}

extension Observable where Element == Int {
    @available(*, unavailable, renamed: "interval(_:on:)")
    public static func interval(_ period: Duration, scheduler: any Scheduler) -> Observable { .never() }

    @available(*, unavailable, renamed: "timer(after:on:)")
    public static func timer(_ dueTime: Duration, scheduler: any Scheduler) -> Observable { .never() }

    @available(*, unavailable, message: "use .timer(after:on:), and .interval(_:on:) for a period")
    public static func timer(_ dueTime: Duration, period: Duration?, scheduler: any Scheduler) -> Observable {
        .never()
    }

    @available(*, unavailable, message: "use .from(start..<start + count)")
    public static func range(start: Int, count: Int) -> Observable { .from(start..<start + count) }
}

extension Emitter {
    @available(*, unavailable, message: "use emitter.send(_:) and emitter.complete(), or emitter.fail(_:)")
    public func callAsFunction(_ result: Result<Element, any Error>) {}

    @available(*, unavailable, renamed: "send(event:)")
    public func on(_ event: Event<Element>) { send(event: event) }

    @available(*, unavailable, renamed: "send(_:)")
    public func onNext(_ element: Element) { send(element) }

    @available(*, unavailable, renamed: "fail(_:)")
    public func onError(_ error: any Error) { fail(error) }

    @available(*, unavailable, renamed: "complete()")
    public func onCompleted() { complete() }

    @available(*, unavailable, renamed: "send(_:)")
    public func accept(_ element: Element) { send(element) }
}

// The continuation of AsyncStream.
extension Emitter {
    @available(*, unavailable, renamed: "send(_:)")
    public func yield(_ element: Element) { send(element) }

    @available(*, unavailable, renamed: "complete()")
    public func finish() { complete() }

    @available(*, unavailable, renamed: "fail(_:)")
    public func finish(throwing error: any Error) { fail(error) }
}

extension ValueEmitter {
    @available(*, unavailable, renamed: "send(_:)")
    public func accept(_ element: Element) { send(element) }

    @available(*, unavailable, renamed: "send(_:)")
    public func onNext(_ element: Element) { send(element) }

    @available(*, unavailable, renamed: "fail(_:)")
    public func onError(_ error: any Error) { fail(error) }

    @available(*, unavailable, renamed: "complete()")
    public func onCompleted() { complete() }
}

extension Subscribable {
    @available(*, unavailable, message: "subscribe to the stream first, and store(in: bag) the Subscription")
    public func disposed(by bag: SubscriptionBag) {}
}

extension Observable {
    // Not unavailable: then the compiler would take the names for the methods, as values.
    @available(*, deprecated, renamed: "value()")
    public var value: Element { get async throws { try await value() } }

    @available(*, deprecated, renamed: "first()")
    public var first: Element { get async throws { try await first() } }
}

extension Cancellable {
    @available(*, unavailable, renamed: "cancel()")
    public func dispose() { cancel() }

    @available(*, unavailable, message: "use store(in: bag) of the Subscription; SubscriptionBag is DisposeBag")
    public func disposed(by bag: SubscriptionBag) {}
}

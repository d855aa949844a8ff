// The message of each declaration is its documentation.
// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// Unavailable stand-ins for operators of RxSwift that have another name or another meaning in MoyaStreams.

extension Subscribable {
    @available(*, unavailable, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any Scheduler) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any Scheduler) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "catch(_:)")
    public func catchError(_ handler: (any Error) throws -> Observable<Element>) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use retry(times:), or retry(_:on:) with a RetryPolicy")
    public func retry() -> Observable<Element> { observable }

    @available(*, unavailable, message: "retry(3) of RxSwift is retry(times: 2), which counts retries")
    public func retry(_ maxAttemptCount: Int) -> Observable<Element> { observable }

    @available(*, unavailable, message: "add a scheduler for the delays: retry(policy, on: .background)")
    public func retry(_ policy: RetryPolicy) -> Observable<Element> { observable }

    @available(
        *, unavailable, message: "use retry(when:), whose closure receives each error and the number of the retry"
    )
    public func retryWhen<Notice: Sendable>(
        _ handler: (Observable<any Error>) -> Observable<Notice>
    ) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use the closure of retry(when:) that receives each error and its number")
    public func retry<Notice: Sendable>(
        when handler: (Observable<any Error>) -> Observable<Notice>
    ) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    public func `do`(
        onNext: ((Element) throws -> Void)? = nil, afterNext: ((Element) throws -> Void)? = nil,
        onSuccess: ((Element) throws -> Void)? = nil, onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, afterCompleted: (() -> Void)? = nil,
        onSubscribe: (() -> Void)? = nil, onSubscribed: (() -> Void)? = nil,
        onDispose: (() -> Void)? = nil
    ) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use subscribe(onNext:onError:onCompleted:), or await the stream's first()")
    public func subscribe(
        onSuccess: (Element) -> Void, onFailure: ((any Error) -> Void)? = nil,
        onError: ((any Error) -> Void)? = nil, onDisposed: (() -> Void)? = nil
    ) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use handleEvents(onEnd:) before subscribe(onNext:onError:onCompleted:)")
    public func subscribe(
        onNext: ((Element) -> Void)? = nil, onError: ((any Error) -> Void)? = nil,
        onCompleted: (() -> Void)? = nil, onDisposed: () -> Void
    ) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(onNext:onError:onCompleted:), or await the stream's first()")
    public func subscribe(_ onResult: (Result<Element, any Error>) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use take(whileAlive:), or subscribe(onMain:) for state of the main actor")
    public func subscribe<Owner: AnyObject>(
        with owner: Owner, onNext: ((Owner, Element) -> Void)? = nil,
        onSuccess: ((Owner, Element) -> Void)? = nil, onError: ((Owner, any Error) -> Void)? = nil,
        onFailure: ((Owner, any Error) -> Void)? = nil, onCompleted: ((Owner) -> Void)? = nil,
        onDisposed: ((Owner) -> Void)? = nil
    ) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use the property observable, without parentheses")
    public func asObservable() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "ignoreElements()")
    public func asCompletable() -> Observable<Never> { .empty() }

    @available(*, unavailable, renamed: "single()")
    public func asSingle() -> Observable<Element> { observable }

    @available(
        *, unavailable, message: "use catchAndReturn(_:) and subscribe(onMain:), whose closures run on the main actor"
    )
    public func asDriver(onErrorJustReturn element: Element) -> Observable<Element> { observable }

    @available(
        *, unavailable, message: "use catchAndReturn(_:) and subscribe(onMain:), whose closures run on the main actor"
    )
    public func asSignal(onErrorJustReturn element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use catch(_:) and subscribe(onMain:), whose closures run on the main actor")
    public func asDriver(onErrorDriveWith other: Observable<Element>) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use subscribe(onMain:), whose closures run on the main actor")
    public func asDriver() -> Observable<Element> { observable }

    @available(*, unavailable, message: "use subscribe(onMain:), whose closures run on the main actor")
    public func asSignal() -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "catchAndReturn(_:)")
    public func asInfallible(onErrorJustReturn element: Element) -> Observable<Element> { observable }

    @available(*, unavailable, message: "leave it out: a stream may complete without an element")
    public func asMaybe() -> Observable<Element> { observable }

    @available(*, unavailable, message: "use subscribe(onMain:), whose closures run on the main actor")
    public func drive(onNext: (Element) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(onMain:), whose closures run on the main actor")
    public func emit(onNext: (Element) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(onMain: { [weak self] value in … })")
    public func drive<Owner: AnyObject>(
        with owner: Owner, onNext: @MainActor (Owner, Element) -> Void
    ) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribe(onMain: { [weak self] value in … })")
    public func bind<Owner: AnyObject>(
        with owner: Owner, onNext: @MainActor (Owner, Element) -> Void
    ) -> Subscription { subscribe() }

    @available(*, unavailable, renamed: "subscribeNext(_:)")
    public func bind(onNext: (Element) -> Void) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use subscribeNext { emitter.send($0) }, or subscribe(onMain:) for views")
    public func bind<Target>(to target: Target...) -> Subscription { subscribe() }

    @available(*, unavailable, message: "use take(whileAlive: self) { owner, value in … }")
    public func withUnretained<Owner: AnyObject & Sendable>(_ owner: Owner) -> Observable<(Owner, Element)> {
        take(whileAlive: owner) { ($0, $1) }
    }

    @available(*, unavailable, renamed: "debounce(for:on:)")
    public func debounce(_ dueTime: Duration, scheduler: (any Scheduler)? = nil) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "throttle(for:latest:on:)")
    public func throttle(
        _ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler
    ) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "delay(for:on:)")
    public func delay(_ dueTime: Duration, scheduler: (any Scheduler)? = nil) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "timeout(after:on:)")
    public func timeout(_ dueTime: Duration, scheduler: (any Scheduler)? = nil) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "timeout(after:switchTo:on:)")
    public func timeout(
        _ dueTime: Duration, other: Observable<Element>, scheduler: any Scheduler
    ) -> Observable<Element> { observable }

    @available(
        *, unavailable, message: "use concat(_:) for a stream of the same type, or toArray().flatMap { _ in other }"
    )
    public func andThen<Other: Sendable>(_ other: Observable<Other>) -> Observable<Other> { .empty() }

    @available(*, unavailable, renamed: "element(at:)")
    public func elementAt(_ index: Int) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "skip(until:)")
    public func skipUntil<Trigger: Sendable>(_ trigger: Observable<Trigger>) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "skip(while:)")
    public func skipWhile(_ isSkipped: (Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use multicast(), which returns the signal and its connect function")
    public func publish() -> Observable<Element> { observable }

    @available(*, unavailable, message: "use multicast(replay:), which returns the signal and its connect function")
    public func replay(_ bufferSize: Int) -> Observable<Element> { observable }

    @available(*, unavailable, message: "leave out publish() or replay(_:), and use share(replay:scope:)")
    public func refCount() -> Observable<Element> { observable }

    @available(*, unavailable, message: "use share(replay:scope:)")
    public func shareReplay(_ bufferSize: Int) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "take(until:)")
    public func takeUntil<Trigger: Sendable>(_ trigger: Observable<Trigger>) -> Observable<Element> { observable }

    @available(*, unavailable, renamed: "take(while:)")
    public func takeWhile(_ isIncluded: (Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use take(while:) with the opposite condition")
    public func take(until predicate: (Element) throws -> Bool) -> Observable<Element> { observable }

    @available(*, unavailable, message: "use debug(_:) with a label")
    public func debug() -> Observable<Element> { observable }

    @available(*, unavailable, message: "use map(_:) with a Decodable type")
    public func mapObject<Value: Sendable>(_ type: Value.Type) -> Observable<Value> { .empty() }

    @available(*, unavailable, message: "use map([Value].self) with a Decodable type")
    public func mapArray<Value: Sendable>(_ type: Value.Type) -> Observable<[Value]> { .empty() }

    @available(*, unavailable, message: "await first(), value() or toArray().value(), or play it in VirtualTime")
    public func toBlocking(timeout: Double? = nil) -> BlockingObservable<Element> { BlockingObservable() }

    @available(*, unavailable, renamed: "buffer(for:count:on:)")
    public func buffer(timeSpan: Duration, count: Int, scheduler: any Scheduler) -> Observable<[Element]> { toArray() }

    @available(*, unavailable, renamed: "sample(by:)")
    public func sample<Trigger: Sendable>(_ sampler: Observable<Trigger>) -> Observable<Element> { observable }
}

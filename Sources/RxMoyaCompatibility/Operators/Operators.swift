public import MoyaStreams

// RxSwift's names for operators that have other names in MoyaStreams.
extension Subscribable {
    /// The stream as an observable.
    @available(*, deprecated, message: "use the property observable, without parentheses")
    public func asObservable() -> Observable<Element> { observable }

    /// Sends all values in one array after the source has completed.
    @_disfavoredOverload
    public func toArray() -> PrimitiveSequence<SingleTrait, [Element]> { PrimitiveSequence(observable.toArray()) }

    /// Converts the stream to a `Maybe`, which fails if the stream sends more than one value.
    @available(
        *, deprecated, message: "leave it out, or use single(), which fails without a value or with a second one"
    )
    public func asMaybe() -> PrimitiveSequence<MaybeTrait, Element> {
        PrimitiveSequence(
            take(2).toArray().flatMap { elements in
                elements.count > 1 ? .error(RxError.moreThanOneElement) : .from(elements)
            })
    }

    /// Converts the stream to a `Completable`, which drops the values and ends when the stream ends.
    @available(*, deprecated, renamed: "ignoreElements()")
    public func asCompletable() -> PrimitiveSequence<CompletableTrait, Never> {
        PrimitiveSequence(observable.withoutElements())
    }

    /// Delivers the events on `scheduler`.
    @available(*, deprecated, renamed: "observe(on:)")
    public func observeOn(_ scheduler: any Scheduler) -> Observable<Element> { observe(on: scheduler) }
    /// Subscribes to the source on `scheduler`.
    @available(*, deprecated, renamed: "subscribe(on:)")
    public func subscribeOn(_ scheduler: any Scheduler) -> Observable<Element> { subscribe(on: scheduler) }

    /// When the source fails, continues with the stream that `handler` returns for the error.
    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency public func catchError(
        _ handler: @escaping @Sendable (any Error) throws -> Observable<Element>
    ) -> Observable<Element> { `catch`(handler) }

    /// If the source fails, sends `element` and completes instead.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func catchErrorJustReturn(_ element: Element) -> Observable<Element> { catchAndReturn(element) }

    /// Subscribes with a closure for each kind of event.
    @available(*, deprecated, message: "use handleEvents(onEnd:) before subscribe(onNext:onError:onCompleted:)")
    @discardableResult @preconcurrency
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil, onDisposed: @escaping @Sendable () -> Void,
        fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        handleEvents(onEnd: onDisposed)
            .subscribe(onNext: onNext, onError: onError, onCompleted: onCompleted, fileID: fileID, line: line)
    }

    /// Sends the values to relays; a failure is reported to `UnhandledError`.
    @available(*, deprecated, message: "use subscribeNext { emitter.send($0) }")
    @discardableResult public func bind(
        to relays: any Relay<Element>..., fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        subscribeNext(fileID: fileID, line: line) { element in for relay in relays { relay.accept(element) } }
    }

    /// Sends all events, including the terminal event, to subjects or emitters.
    @available(*, deprecated, message: "use subscribe { event in … } with send(_:), fail(_:) and complete()")
    @discardableResult public func bind(to observers: any ObserverType<Element>...) -> Subscription {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Sends the values to a closure; a failure is reported to `UnhandledError`.
    @available(*, deprecated, renamed: "subscribeNext(_:)")
    @discardableResult @preconcurrency
    public func bind(
        fileID: String = #fileID, line: UInt = #line, onNext: @escaping @Sendable (Element) -> Void
    ) -> Subscription { subscribeNext(fileID: fileID, line: line, onNext) }

    /// Sends each value together with `owner`; completes at the first value after the deallocation of `owner`.
    @available(*, deprecated, message: "use take(whileAlive: self) { owner, value in … }")
    public func withUnretained<Owner: AnyObject & Sendable>(_ owner: Owner) -> Observable<(Owner, Element)> {
        take(whileAlive: owner) { ($0, $1) }
    }

    /// Prints the events.
    @available(*, deprecated, message: "use debug(_:) with a label")
    public func debug() -> Observable<Element> { debug("stream") }

    /// Sends a value if no other value arrives within `dueTime`.
    @available(*, deprecated, renamed: "debounce(for:on:)")
    public func debounce(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        debounce(for: dueTime, on: scheduler)
    }

    /// Sends at most one value in each interval of length `dueTime`.
    @available(*, deprecated, renamed: "throttle(for:latest:on:)")
    public func throttle(
        _ dueTime: Duration, latest: Bool = true, scheduler: any Scheduler
    ) -> Observable<Element> { throttle(for: dueTime, latest: latest, on: scheduler) }

    /// Delivers the events after a delay.
    @available(*, deprecated, renamed: "delay(for:on:)")
    public func delay(_ dueTime: Duration, scheduler: any Scheduler) -> Observable<Element> {
        delay(for: dueTime, on: scheduler)
    }
}

extension Subscribable where Element: Subscribable {
    /// Sends the values of all streams that the source sends.
    @available(*, deprecated, message: "use flatMap { $0.observable }")
    public func merge() -> Observable<Element.Element> { flatMap { $0.observable } }
}

extension ShareScope {
    /// The subscription to the source is shared until the last subscriber cancels or the source ends.
    @available(*, deprecated, renamed: "whileSubscribed")
    public static var whileConnected: ShareScope { .whileSubscribed }
}

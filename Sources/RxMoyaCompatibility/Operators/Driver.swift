public import MoyaStreams

/// A stream that cannot fail: its type does not say so here.
@available(*, deprecated, message: "use an Observable with catchAndReturn(_:)")
public typealias Infallible<Element: Sendable> = Observable<Element>

/// A stream on the main queue that does not fail, shared by its subscribers.
@available(*, deprecated, message: "use an Observable with catchAndReturn(_:), and subscribe(onMain:)")
public typealias Driver<Element: Sendable> = Observable<Element>

extension ObservableType {
    /// Replaces a failure by a value.
    @available(*, deprecated, renamed: "catchAndReturn(_:)")
    public func asInfallible(onErrorJustReturn value: Element) -> Observable<Element> { plain.catchAndReturn(value) }

    /// Replaces a failure by a stream.
    @available(*, deprecated, message: "use catch { _ in stream }")
    public func asInfallible(onErrorFallbackTo stream: Observable<Element>) -> Observable<Element> {
        plain.catch { _ in stream }
    }

    /// Replaces a failure by the stream of a closure.
    @available(*, deprecated, renamed: "catch(_:)")
    @preconcurrency public func asInfallible(
        onErrorRecover: @escaping @Sendable (any Error) -> Observable<Element>
    ) -> Observable<Element> { plain.catch(onErrorRecover) }

    /// Delivers on the main queue, replaces a failure by a value, and shares the latest value.
    @available(*, deprecated, message: "use catchAndReturn(_:) and subscribe(onMain:), for the main actor")
    public func asDriver(onErrorJustReturn element: Element) -> Observable<Element> {
        onMain().catchAndReturn(element).share(replay: .latest(1))
    }

    /// Delivers on the main queue, replaces a failure by a stream, and shares the latest value.
    @available(*, deprecated, message: "use catch(_:) and subscribe(onMain:), whose closures run on the main actor")
    public func asDriver(onErrorDriveWith driver: Observable<Element>) -> Observable<Element> {
        onMain().catch { _ in driver }.share(replay: .latest(1))
    }

    /// Delivers on the main queue, replaces a failure by the stream of a closure, and shares the latest value.
    @available(*, deprecated, message: "use catch(_:) and subscribe(onMain:), whose closures run on the main actor")
    @preconcurrency public func asDriver(
        onErrorRecover: @escaping @Sendable (any Error) -> Observable<Element>
    ) -> Observable<Element> { onMain().catch(onErrorRecover).share(replay: .latest(1)) }

    /// Subscribes with closures.
    @available(*, deprecated, message: "use subscribe(onMain:), whose closures run on the main actor")
    @preconcurrency @discardableResult public func drive(
        onNext: (@Sendable (Element) -> Void)? = nil, onCompleted: (@Sendable () -> Void)? = nil,
        onDisposed: (@Sendable () -> Void)? = nil
    ) -> Subscription {
        plain.handleEvents(onEnd: onDisposed).plain.subscribe(onNext: onNext, onCompleted: onCompleted)
    }

    /// Subscribes, for the effects of the stream.
    @available(*, deprecated, renamed: "subscribe()")
    @discardableResult public func drive() -> Subscription { plain.subscribe() }

    /// Subscribes with closures that receive an object, which is not retained.
    @available(*, deprecated, message: "use subscribe(onMain:), whose closures run on the main actor")
    @preconcurrency @discardableResult public func drive<Owner: AnyObject & Sendable>(
        with object: Owner, onNext: (@Sendable (Owner, Element) -> Void)? = nil,
        onCompleted: (@Sendable (Owner) -> Void)? = nil, onDisposed: (@Sendable (Owner) -> Void)? = nil
    ) -> Subscription { subscribe(with: object, onNext: onNext, onCompleted: onCompleted, onDisposed: onDisposed) }

    /// Sends the values to relays.
    @available(*, deprecated, message: "use subscribe(onMain:), and send each value to the emitter")
    @discardableResult public func drive(_ relays: any Relay<Element>...) -> Subscription {
        subscribeNext { element in for relay in relays { relay.accept(element) } }
    }

    /// Sends all events to observers.
    @available(*, deprecated, message: "use subscribe(onMain:)")
    @discardableResult public func drive(_ observers: any ObserverType<Element>...) -> Subscription {
        subscribe { event in for observer in observers { observer.on(event) } }
    }

    /// Sends the values to relays of optional values.
    @available(*, deprecated, message: "use subscribe(onMain:), and send each value to the emitter")
    @_disfavoredOverload
    @discardableResult public func drive(_ relays: any Relay<Element?>...) -> Subscription {
        subscribeNext { element in for relay in relays { relay.accept(element) } }
    }

    /// Sends all events to observers of optional values.
    @available(*, deprecated, message: "use subscribe(onMain:)")
    @_disfavoredOverload
    @discardableResult public func drive(_ observers: any ObserverType<Element?>...) -> Subscription {
        subscribe { event in for observer in observers { observer.on(event.map(Optional.some)) } }
    }

    /// Not available: `Signal` is another type of MoyaStreams.
    @available(*, unavailable, message: "Signal is MoyaStreams' hot stream; use asDriver, or subscribe(onMain:)")
    public func asSignal() -> Observable<Element> { observable }
    /// Not available: `Signal` is another type of MoyaStreams.
    @available(*, unavailable, message: "Signal is MoyaStreams' hot stream: return an Observable, and use asDriver")
    @_disfavoredOverload
    public func asSignal() -> Signal<Element> { Signal.pipe().signal }
    /// Not available: `Signal` is another type of MoyaStreams.
    @available(*, unavailable, message: "Signal is MoyaStreams' hot stream; use asDriver, or subscribe(onMain:)")
    public func asSignal(onErrorJustReturn element: Element) -> Observable<Element> { observable }

    /// Not available: `Signal` is another type of MoyaStreams.
    @available(*, unavailable, message: "Signal is MoyaStreams' hot stream; use drive(onNext:), or subscribe(onMain:)")
    @preconcurrency
    public func emit(onNext: @escaping @Sendable (Element) -> Void) -> Subscription { plain.subscribe() }
}

extension Subscribable {
    /// Delivers on the main queue: at once if the caller is there, and nothing is queued.
    fileprivate func onMain() -> Observable<Element> {
        .withToken { [source = observable] emitter in
            source.plain.subscribe { event in DispatchScheduler.main.schedule { emitter.send(event: event) } }
        }
    }
}

@available(*, deprecated)
extension BehaviorRelay {
    /// Delivers on the main queue, and shares the latest value.
    @available(*, deprecated, message: "use subscribe(onMain:), whose closures run on the main actor")
    public func asDriver() -> Observable<Element> { onMain().share(replay: .latest(1)) }
}

extension Observable {
    /// The stream itself, which is a driver already.
    @available(*, deprecated, message: "use subscribe(onMain:), whose closures run on the main actor")
    public func asDriver() -> Observable { self }
}

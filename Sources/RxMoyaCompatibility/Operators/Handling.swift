import MoyaScheduling
public import MoyaStreams

extension ObservableType {
    /// Calls closures for the events, before and after they are sent on.
    @available(*, deprecated, message: "use handleEvents(onSubscribe:onNext:onError:onCompleted:onCancel:onEnd:)")
    @preconcurrency public func `do`(
        onNext: (@Sendable (Element) throws -> Void)? = nil, afterNext: (@Sendable (Element) throws -> Void)? = nil,
        onError: (@Sendable (any Error) throws -> Void)? = nil,
        afterError: (@Sendable (any Error) throws -> Void)? = nil,
        onCompleted: (@Sendable () throws -> Void)? = nil, afterCompleted: (@Sendable () throws -> Void)? = nil,
        onSubscribe: (@Sendable () -> Void)? = nil, onSubscribed: (@Sendable () -> Void)? = nil,
        onDispose: (@Sendable () -> Void)? = nil
    ) -> Observable<Element> {
        Observable { [source = observable] emitter in
            onSubscribe?()
            // Set by what comes first of two: the end of the handling of a terminal event, and of the subscribing.
            let isDone = OneShotFlag()
            let isEnding = OneShotFlag()
            let finish: @Sendable () -> Void = { if !isDone.setIfUnset() { onDispose?() } }
            let handle: @Sendable (Event<Element>) throws -> Void = { event in
                switch event {
                case .next(let element): try onNext?(element)
                case .error(let error): try onError?(error)
                case .completed: try onCompleted?()
                }
                if event.isStopEvent { _ = isEnding.setIfUnset() }
                emitter.send(event: event)
                defer { if event.isStopEvent { finish() } }
                switch event {
                case .next(let element): try afterNext?(element)
                case .error(let error): try afterError?(error)
                case .completed: try afterCompleted?()
                }
            }
            // Also stops a sequence that sends its values before `subscribe` returns.
            let live = source.plain.take(while: { _ in !emitter.isTerminated })
            let subscription = live.subscribe { event in
                if emitter.isTerminated { return }
                do { try handle(event) } catch { emitter.fail(error) }
            }
            onSubscribed?()
            finish()
            emitter.onTermination {
                subscription.cancel()
                if !isEnding.isSet { finish() }
            }
        }
    }

    /// Subscribes with closures that receive an object, which is not retained.
    @available(*, deprecated, message: "use take(whileAlive:_:), or subscribe(onMain:) for views and view models")
    @preconcurrency @discardableResult public func subscribe<Owner: AnyObject & Sendable>(
        with object: Owner, onNext: (@Sendable (Owner, Element) -> Void)? = nil,
        onError: (@Sendable (Owner, any Error) -> Void)? = nil, onCompleted: (@Sendable (Owner) -> Void)? = nil,
        onDisposed: (@Sendable (Owner) -> Void)? = nil
    ) -> Subscription {
        observable.handleEvents(onEnd: { [weak object] in if let object { onDisposed?(object) } }).subscribe(
            onNext: { [weak object] element in if let object { onNext?(object, element) } },
            onError: { [weak object] error in if let object { onError?(object, error) } },
            onCompleted: { [weak object] in if let object { onCompleted?(object) } })
    }

    /// Sends the values to a closure that receives an object, which is not retained.
    @available(*, deprecated, message: "use take(whileAlive:_:), or subscribe(onMain:) for views and view models")
    @preconcurrency @discardableResult public func bind<Owner: AnyObject & Sendable>(
        with object: Owner, onNext: @escaping @Sendable (Owner, Element) -> Void
    ) -> Subscription { subscribe(with: object, onNext: onNext) }

    /// Sends the values to relays of optional values; a failure is reported to `UnhandledError`.
    @available(*, deprecated, message: "use subscribeNext { emitter.send($0) }")
    @discardableResult public func bind(to relays: any Relay<Element?>...) -> Subscription {
        subscribeNext { element in for relay in relays { relay.accept(element) } }
    }

    /// Sends all events to observers of optional values.
    @available(*, deprecated, message: "use subscribe { event in … }")
    @_disfavoredOverload
    @discardableResult public func bind(to observers: any ObserverType<Element?>...) -> Subscription {
        subscribe { event in for observer in observers { observer.on(event.map(Optional.some)) } }
    }

    /// Passes the stream to a function, and returns its result.
    @available(*, deprecated, message: "call the function")
    public func bind<Result>(to binder: (Self) -> Result) -> Result { binder(self) }

    /// Sends all events to an observer.
    @available(*, deprecated, message: "use subscribe { event in … }")
    @discardableResult public func subscribe(_ observer: some ObserverType<Element>) -> Subscription {
        subscribe { event in observer.on(event) }
    }
}

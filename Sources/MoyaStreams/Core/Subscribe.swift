extension Subscribable {
    /// Subscribes with one closure for all events.
    ///
    /// - Returns: a handle that can cancel the subscription. Releasing the handle does not cancel.
    @inlinable
    @discardableResult
    public func subscribe(_ observer: @escaping @Sendable (Event<Element>) -> Void) -> Subscription {
        start(Lifetime { error in observer(error.map { .error($0) } ?? .completed) }) { observer(.next($0)) }
    }

    /// Subscribes with a closure for each kind of event.
    ///
    /// Without `onError`, a failure is reported as an ``UnhandledError``.
    @inlinable
    @discardableResult
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        let lifetime = Lifetime { error in
            guard let error else { onCompleted?(); return }
            if let onError { onError(error) } else { UnhandledError(error: error, fileID: fileID, line: line).report() }
        }
        return start(lifetime, onNext ?? { _ in })
    }

    /// Subscribes with a closure for the values.
    ///
    /// A failure is reported as an ``UnhandledError``.
    @inlinable
    @discardableResult
    public func subscribeNext(
        fileID: String = #fileID, line: UInt = #line, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> Subscription {
        start(Lifetime(.report(fileID: fileID, line: line)), onNext)
    }

    /// Subscribes with a closure for the failure; values and completion are ignored.
    @discardableResult
    public func subscribeError(_ onError: @escaping @Sendable (any Error) -> Void) -> Subscription {
        subscribe(onError: onError)
    }

    /// Subscribes with a closure for the completion; values are ignored.
    ///
    /// A failure is reported as an ``UnhandledError``.
    @discardableResult
    public func subscribeCompleted(
        fileID: String = #fileID, line: UInt = #line, _ onCompleted: @escaping @Sendable () -> Void
    ) -> Subscription {
        subscribe(onCompleted: onCompleted, fileID: fileID, line: line)
    }

    /// Subscribes with closures that run on the main actor.
    ///
    /// Without `onError`, a failure is reported as an ``UnhandledError``.
    ///
    /// Events are delivered on `scheduler`. The default, `.main`, delivers events only while the process runs its main
    /// queue. Any other scheduler must run its work on the main actor; otherwise the process traps. A test on the main
    /// actor may pass a scheduler with virtual time:
    ///
    /// ```swift
    /// names.subscribe(onMain: { [weak self] names in self?.names = names }, scheduler: scheduler)
    /// ```
    ///
    /// - Returns: a handle that cancels the subscription. The compiler warns if it is not used, because views and
    ///   models end before their streams do: keep it, or store it in a bag. Releasing it, or assigning another handle,
    ///   does not cancel. Cancel it on the main actor.
    @_disfavoredOverload
    public func subscribe(
        onMain onNext: @escaping @MainActor (Element) -> Void,
        onError: (@MainActor (any Error) -> Void)? = nil,
        onCompleted: (@MainActor () -> Void)? = nil,
        scheduler: any Scheduler = .main,
        fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        let onFailure: (@Sendable (any Error) -> Void)? =
            if let onError { { error in MainActor.assumeIsolated { onError(error) } } } else { nil }
        return observe(on: scheduler).subscribe(
            onNext: { element in MainActor.assumeIsolated { onNext(element) } }, onError: onFailure,
            onCompleted: { MainActor.assumeIsolated { onCompleted?() } }, fileID: fileID, line: line)
    }

    /// Subscribes the closure `onNext`, which is never called after `lifetime` has ended.
    @inlinable
    func start(_ lifetime: Lifetime, _ onNext: @escaping @Sendable (Element) -> Void) -> Subscription {
        let observer = Observer(lifetime, next: onNext)
        observable.run(Observer(lifetime) { observer.send($0) })
        return Subscription(lifetime: lifetime)
    }
}

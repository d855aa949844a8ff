import Moya

extension Subscribable {
    /// Subscribes with one closure for all events.
    ///
    /// - Returns: the way to cancel. Dropping it does not.
    @inlinable
    @discardableResult
    public func subscribe(_ observer: @escaping @Sendable (Event<Element>) -> Void) -> Subscription {
        start(Trail(), onNext: { observer(.next($0)) }) { error in
            observer(error.map { .error($0) } ?? .completed)
        }
    }

    /// Subscribes with a closure for each kind of event.
    ///
    /// Without `onError`, a failure goes to ``UnhandledError``.
    ///
    /// - Returns: the way to cancel. Dropping it does not.
    @inlinable
    @discardableResult
    public func subscribe(
        onNext: (@Sendable (Element) -> Void)? = nil,
        onError: (@Sendable (any Error) -> Void)? = nil,
        onCompleted: (@Sendable () -> Void)? = nil,
        fileID: String = #fileID, line: UInt = #line
    ) -> Subscription {
        let trail = Trail()
        return start(trail, onNext: onNext ?? { _ in }) { error in
            guard let error else { onCompleted?(); return }
            if let onError { onError(error) } else { reportUnhandled(error, trail, fileID, line) }
        }
    }

    /// Subscribes to the values alone.
    ///
    /// A failure goes to ``UnhandledError``.
    @inlinable
    @discardableResult
    public func subscribeNext(
        fileID: String = #fileID, line: UInt = #line, _ onNext: @escaping @Sendable (Element) -> Void
    ) -> Subscription {
        let trail = Trail()
        return start(trail, onNext: onNext) { error in if let error { reportUnhandled(error, trail, fileID, line) } }
    }

    /// Subscribes to the failure alone.
    @discardableResult
    public func subscribeError(_ onError: @escaping @Sendable (any Error) -> Void) -> Subscription {
        subscribe(onError: onError)
    }

    /// Subscribes to the completion alone.
    ///
    /// A failure goes to ``UnhandledError``.
    @discardableResult
    public func subscribeCompleted(
        fileID: String = #fileID, line: UInt = #line, _ onCompleted: @escaping @Sendable () -> Void
    ) -> Subscription {
        subscribe(onCompleted: onCompleted, fileID: fileID, line: line)
    }

    /// Subscribes with closures that run on the main actor.
    ///
    /// Without `onError`, a failure goes to ``UnhandledError``.
    ///
    /// Events are delivered through the main queue, at once when the stream delivers there already; the process must run
    /// its main queue.
    @discardableResult
    public func subscribeOnMain(
        fileID: String = #fileID, line: UInt = #line,
        _ onNext: @escaping @MainActor (Element) -> Void,
        onError: (@MainActor (any Error) -> Void)? = nil,
        onCompleted: (@MainActor () -> Void)? = nil
    ) -> Subscription {
        let trail = Trail()
        let onMain: @Sendable (Element) -> Void = { element in MainActor.assumeIsolated { onNext(element) } }
        return observe(on: .main).start(trail, onNext: onMain) { error in
            guard let error else { MainActor.assumeIsolated { onCompleted?() }; return }
            if let onError {
                MainActor.assumeIsolated { onError(error) }
            } else {
                reportUnhandled(error, trail, fileID, line)
            }
        }
    }

    /// The end of every chain: a new lifetime, and the last look whether anybody still listens, so that a cancel made
    /// inside an operator holds back the value in flight (R15).
    @inlinable
    func start(
        _ trail: Trail, onNext: @escaping @Sendable (Element) -> Void,
        terminal: @escaping @Sendable ((any Error)?) -> Void
    ) -> Subscription {
        let lifetime = Lifetime(trail: trail, terminal: terminal)
        observable.run(Observer(lifetime) { element in if !lifetime.isOver { onNext(element) } })
        return subscription(of: lifetime)
    }
}

@usableFromInline
func subscription(of lifetime: Lifetime) -> Subscription {
    Subscription(lifetime: lifetime)
}

@usableFromInline
func reportUnhandled(_ error: any Error, _ trail: Trail, _ fileID: String, _ line: UInt) {
    UnhandledError(error: error, fileID: fileID, line: line, operators: trail.operators).report()
}

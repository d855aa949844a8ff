extension Observable {
    /// A stream that `producer` feeds: it is called once for each subscription, on the subscribing thread.
    ///
    /// The emitter may be kept and used from any thread. If `producer` throws, the stream fails with that error.
    ///
    /// ```swift
    /// let ticks = Observable<Int> { emitter in
    ///     let timer = Timer.repeating(every: 1) { emitter.send($0) }
    ///     emitter.onTermination { timer.stop() }
    /// }
    /// ```
    /// - Parameters:
    ///   - function: what reports of unhandled errors call it.
    ///   - producer: sends the events.
    @inlinable
    public init(
        function: StaticString = #function, _ producer: @escaping @Sendable (Emitter<Element>) throws -> Void
    ) {
        self.init(
            name: function,
            run: { observer in
                let emitter = Emitter(guarding: observer)
                do { try producer(emitter) } catch { emitter.fail(error) }
            })
    }
}

extension Emitter {
    /// An emitter for foreign code, which may break the grammar and send from several threads at once.
    ///
    /// Racing and nested events are queued.
    @inlinable
    init(guarding observer: Observer<Element>) {
        let coordinator = Coordinator<Void, Event<Element>, Element>((), observer) { _, event, observer, _ in
            switch event {
            case .next(let element): observer.next(element)
            case .error(let error): return .finish(error)
            case .completed: return .finish(nil)
            }
            return .continue
        }
        self.init(
            observer.lifetime,
            post: { coordinator.submit(.next($0)) },
            end: { coordinator.submit($0.map { .error($0) } ?? .completed) })
    }
}

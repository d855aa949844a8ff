extension Observable {
    /// Creates a stream from a closure that sends the events.
    ///
    /// `producer` is called once for each subscription, on the subscribing thread. The emitter may be stored and used
    /// from any thread. If `producer` throws, the stream fails with that error.
    ///
    /// ```swift
    /// let ticks = Observable<Int> { emitter in
    ///     let timer = Timer.repeating(every: 1) { emitter.send($0) }
    ///     emitter.onTermination { timer.stop() }
    /// }
    /// ```
    /// - Parameter producer: sends the events to the emitter.
    @inlinable
    public init(_ producer: @escaping @Sendable (Emitter<Element>) throws -> Void) {
        self.init(run: { observer in
            // Serializes what user code sends from several threads, or even after the terminal event.
            let coordinator = Coordinator<Void, Event<Element>, Element>((), observer) { _, event, observer, _ in
                observer.send(event: event)
            }
            let emitter = Emitter<Element>(
                observer.lifetime, post: { coordinator.submit(.next($0)) },
                end: { coordinator.submit($0.map { .error($0) } ?? .completed) })
            do { try producer(emitter) } catch { emitter.fail(error) }
        })
    }

    /// Creates a stream from a closure that begins the work of a subscription, whose end cancels the returned token.
    package static func withToken(
        _ subscribe: @escaping @Sendable (Emitter<Element>) -> any Cancellable
    ) -> Observable {
        Observable { emitter in
            let token = subscribe(emitter)
            emitter.onTermination { token.cancel() }
        }
    }
}

extension Emitter {
    package func end(with result: Result<Element, some Error>) {
        switch result {
        case .success(let element):
            send(element)
            complete()
        case .failure(let error): fail(error)
        }
    }
}

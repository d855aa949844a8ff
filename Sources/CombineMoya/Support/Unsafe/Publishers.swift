#if canImport(Combine)
    // SAFETY: Combine does not declare which of its types may be used from several threads. A PassthroughSubject and an
    // AnyCancellable may: both are documented to be used from any thread, and a stream's events never overlap (R7).
    @unsafe @preconcurrency public import Combine
    public import MoyaStreams

    extension Subscribable {
        /// Returns the stream as a Combine publisher.
        ///
        /// Each subscriber of the publisher subscribes to the stream; if the subscriber cancels, that subscription is
        /// cancelled. Values that the subscriber has not demanded yet are buffered, without limit.
        ///
        /// ```swift
        /// provider.request(.zen).mapString().publisher().replaceError(with: "-").assign(to: &$zen)
        /// ```
        public func publisher() -> AnyPublisher<Element, any Error> {
            Deferred { [observable] in
                let subject = PassthroughSubject<Element, any Error>()
                let (cancelled, cancel) = Signal<Void>.pipe()
                // `merge` subscribes to `start` after the buffer, so that the buffer exists when the stream sends its
                // first value.
                let start = Deferred {
                    observable.take(until: cancelled).subscribe { event in
                        switch event {
                        case .next(let element): subject.send(element)
                        case .error(let error): subject.send(completion: .failure(error))
                        case .completed: subject.send(completion: .finished)
                        }
                    }
                    return Empty<Element, any Error>()
                }
                return subject.buffer(size: .max, prefetch: .keepFull, whenFull: .dropNewest)
                    .merge(with: start)
                    .handleEvents(receiveCancel: { cancel.send(()) })
            }.eraseToAnyPublisher()
        }
    }

    extension Publisher where Self: Sendable, Output: Sendable {
        /// Returns the publisher as a stream.
        ///
        /// Each subscription to the stream subscribes to the publisher, with unlimited demand. Cancelling the former
        /// cancels the latter.
        ///
        /// ```swift
        /// reachability.publisher.asObservable().subscribeNext { print($0) }
        /// ```
        public func asObservable() -> Observable<Output> {
            Observable { emitter in
                let token = sink { completion in
                    switch completion {
                    case .finished: emitter.complete()
                    case .failure(let error): emitter.fail(error)
                    }
                } receiveValue: { element in
                    emitter.send(element)
                }
                emitter.onTermination { token.cancel() }
            }
        }
    }
#endif

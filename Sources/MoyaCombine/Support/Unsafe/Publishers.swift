#if canImport(Combine)
    // SAFETY: Combine does not declare its types as `Sendable`, so the compiler cannot check their use on several
    // threads. In this file, Combine objects are passed between threads only in the wrapper `Transferred`. The comment
    // of `Transferred` explains why that is safe.
    @unsafe @preconcurrency public import Combine
    public import MoyaStreams
    import Synchronization

    extension Subscribable {
        /// Returns the stream as a Combine publisher.
        ///
        /// Each subscriber of the publisher has its own subscription to the stream. If the subscriber cancels, its
        /// subscription to the stream is cancelled. The values are buffered, without limit, until the subscriber
        /// demands them. The terminal event is delivered after all buffered values.
        ///
        /// ```swift
        /// provider.request(.zen).mapString().publisher().replaceError(with: "-").assign(to: &$zen)
        /// ```
        public func publisher() -> AnyPublisher<Element, any Error> {
            StreamPublisher(observable: observable).eraseToAnyPublisher()
        }
    }

    extension Publisher where Self: Sendable, Output: Sendable {
        /// Returns the publisher as a stream.
        ///
        /// Each subscription to the stream subscribes to the publisher, on the calling thread and with unlimited
        /// demand. Cancelling the subscription to the stream cancels the subscription to the publisher.
        ///
        /// The publisher must be `Sendable`, but Combine does not declare its publishers as `Sendable`. Import Combine
        /// with `@preconcurrency import Combine`: the compiler then does not warn about the missing conformance.
        ///
        /// ```swift
        /// reachability.publisher.asObservable().subscribeNext { print($0) }
        /// ```
        public func asObservable() -> Observable<Output> {
            Observable { emitter in subscribe(PublisherForwarder(emitter)) }
        }
    }

    // SAFETY: the wrapped value is a Combine subscriber or a Combine subscription. `StreamSubscription` never calls a
    // subscriber on two threads at the same time. A wrapped subscription is used only to call `cancel()`, which
    // Combine documents as thread-safe.
    private struct Transferred<Value>: @unchecked Sendable {
        let value: Value
    }

    private struct StreamPublisher<Output: Sendable>: Publisher {
        typealias Failure = any Error

        let observable: Observable<Output>

        func receive<S: Subscriber>(subscriber: S) where S.Input == Output, S.Failure == any Error {
            let subscription = StreamSubscription(AnySubscriber(subscriber))
            subscriber.receive(subscription: subscription)
            subscription.start(observable)
        }
    }

    private final class StreamSubscription<Output: Sendable>: Combine.Subscription, Sendable {
        private typealias Downstream = Transferred<AnySubscriber<Output, any Error>>

        private struct State: Sendable {
            /// The subscriber; `nil` after a cancel and after the terminal event.
            var downstream: Downstream?
            /// A value is replaced by `nil` when it is delivered, so that removing it under the lock releases nothing.
            var buffer: [Output?] = []
            var delivered = 0
            var demand = Subscribers.Demand.none
            var end: Event<Output>?
            /// Whether a thread is calling the subscriber.
            var isDelivering = false

            mutating func next() -> (Downstream, Event<Output>)? {
                guard let downstream, !isDelivering else { return nil }
                if delivered < buffer.count {
                    guard demand > 0, let value = buffer[delivered].take() else { return nil }
                    demand -= 1
                    isDelivering = true
                    delivered += 1
                    // Removes at least half of the buffer at a time, so that the amortised cost per value is constant.
                    if delivered * 2 >= buffer.count {
                        buffer.removeFirst(delivered)
                        delivered = 0
                    }
                    return (downstream, .next(value))
                }
                guard let end else { return nil }
                self = State()
                return (downstream, end)
            }
        }

        private let state: Mutex<State>
        /// Ends the subscription to the stream, also one that begins later or that `subscribe` has not returned yet.
        private let cancellation = Signal<Void>.pipe(replay: .latest(1))

        init(_ subscriber: AnySubscriber<Output, any Error>) {
            state = Mutex(State(downstream: Transferred(value: subscriber)))
        }

        func start(_ stream: Observable<Output>) {
            stream.take(until: cancellation.signal).subscribe { [self] event in
                state.withLock { state in
                    guard state.downstream != nil else { return }
                    if case .next(let value) = event { state.buffer.append(value) } else { state.end = event }
                }
                deliver()
            }
        }

        func request(_ demand: Subscribers.Demand) {
            state.withLock { $0.demand += demand }
            deliver()
        }

        func cancel() {
            // The old state is released outside the lock, because the release can run deinitializers of user types.
            var old = State()
            state.withLock { swap(&$0, &old) }
            if old.downstream != nil { cancellation.emitter.send(()) }
        }

        /// Returns at once if another call is running, which delivers the new events, too.
        private func deliver() {
            while let (downstream, event) = state.withLock({ $0.next() }) {
                switch event {
                case .next(let value):
                    let demand = downstream.value.receive(value)
                    state.withLock { state in
                        state.demand += demand
                        state.isDelivering = false
                    }
                case .error(let error): downstream.value.receive(completion: .failure(error))
                case .completed: downstream.value.receive(completion: .finished)
                }
            }
        }
    }

    private final class PublisherForwarder<Input: Sendable, Failure: Error>: Subscriber {
        private let emitter: Emitter<Input>

        init(_ emitter: Emitter<Input>) {
            self.emitter = emitter
        }

        func receive(subscription: any Combine.Subscription) {
            let transferred = Transferred(value: subscription)
            // The handler is set before `request` is called, because a publisher may deliver values without end during
            // that call. Only `cancel` stops such a publisher.
            emitter.onTermination { transferred.value.cancel() }
            subscription.request(.unlimited)
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            emitter.send(input)
            return .none
        }

        func receive(completion: Subscribers.Completion<Failure>) {
            switch completion {
            case .finished: emitter.complete()
            case .failure(let error): emitter.fail(error)
            }
        }
    }
#endif

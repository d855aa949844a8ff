#if canImport(Combine)
    // Combine does not declare its publishers as Sendable.
    @unsafe @preconcurrency import Combine
    import MoyaCombine
    import MoyaStreams
    import MoyaTesting
    import Synchronization
    import Testing

    // Uses public symbols only, because `Examples/CombineOverOpenCombine` compiles it, too.
    @Suite(.timeLimit(.minutes(10))) struct CombineTests {
        @Test func aStreamAsAPublisher() {
            var entries: [String] = []
            let token = Observable.of(1, 2).publisher().sink(
                receiveCompletion: { entries.append("\($0)") }, receiveValue: { entries.append("\($0)") })
            #expect(entries == ["1", "2", "finished"])
            token.cancel()
        }

        @Test func aFailureOfTheStreamIsThatOfThePublisher() {
            let subscriber = ManualSubscriber<Int>(initialDemand: .unlimited)
            Observable.of(1).concat(Observable<Int>.error(Refused())).publisher().subscribe(subscriber)
            #expect(subscriber.entries == ["1", "failed: Refused()"])
        }

        @Test func eachSubscriberSubscribesToTheStream() {
            let subscriptions = Mutex(0)
            let publisher = Observable<Int> { _ in subscriptions.withLock { $0 += 1 } }.publisher()
            #expect(subscriptions.withLock { $0 } == 0)
            for _ in 0..<2 { publisher.subscribe(ManualSubscriber<Int>()) }
            #expect(subscriptions.withLock { $0 } == 2)
        }

        @Test func cancellingThePublisherCancelsTheStream() {
            let cancelled = Mutex(false)
            let token = Observable<Int>.never()
                .handleEvents(onCancel: { cancelled.withLock { $0 = true } }).publisher()
                .sink(receiveCompletion: { _ in }, receiveValue: { _ in })
            token.cancel()
            #expect(cancelled.withLock { $0 })
        }

        @Test func aCancelBeforeTheStreamIsSubscribedToLeavesItAlone() {
            let subscribed = Mutex(false)
            let subscriber = ManualSubscriber<Int>(cancelsAtOnce: true)
            Observable<Int> { _ in subscribed.withLock { $0 = true } }.publisher().subscribe(subscriber)
            #expect(!subscribed.withLock { $0 })
        }

        @Test func aCancelInsideAValueEndsAnEndlessSynchronousStream() {
            var values: [Int] = []
            let token = Observable.from(1...).publisher().prefix(2)
                .sink(receiveCompletion: { _ in }, receiveValue: { values.append($0) })
            #expect(values == [1, 2])
            token.cancel()
        }

        @Test func valuesAreBufferedUntilTheyAreDemanded() {
            let subscriber = ManualSubscriber<Int>()
            Observable.from(1...5).publisher().subscribe(subscriber)
            #expect(subscriber.entries.isEmpty)
            subscriber.subscription?.request(.max(2))
            #expect(subscriber.entries == ["1", "2"])
            subscriber.subscription?.request(.max(1))
            #expect(subscriber.entries == ["1", "2", "3"])
            subscriber.subscription?.request(.unlimited)
            #expect(subscriber.entries == ["1", "2", "3", "4", "5", "finished"])
        }

        @Test func theDemandOfOneValueBringsTheNextOne() {
            let subscriber = ManualSubscriber<Int>(initialDemand: .max(1), demandOfAValue: .max(1))
            Observable.from(1...3).publisher().subscribe(subscriber)
            #expect(subscriber.entries == ["1", "2", "3", "finished"])
        }

        @Test func aStreamThatEndsWithoutValuesNeedsNoDemand() {
            let subscriber = ManualSubscriber<Int>()
            Observable<Int>.empty().publisher().subscribe(subscriber)
            #expect(subscriber.entries == ["finished"])
        }

        @Test func aFailureIsDeliveredAfterTheBufferedValues() {
            let subscriber = ManualSubscriber<Int>()
            Observable.of(1, 2).concat(Observable<Int>.error(Refused())).publisher().subscribe(subscriber)
            #expect(subscriber.entries.isEmpty)
            subscriber.subscription?.request(.max(2))
            #expect(subscriber.entries == ["1", "2", "failed: Refused()"])
        }

        @Test func aRequestInsideAValueDoesNotNestDeliveries() {
            let subscriber = ManualSubscriber<Int>(initialDemand: .max(1), requestsInsideAValue: true)
            Observable.from(1...20_000).publisher().subscribe(subscriber)
            #expect(subscriber.entries.count == 20_001)
            #expect(subscriber.deepest == 1)
        }

        @Test func noEventFollowsACancel() {
            let subscriber = ManualSubscriber<Int>(initialDemand: .max(1))
            let (signal, emitter) = Signal<Int>.pipe()
            signal.publisher().subscribe(subscriber)
            emitter.send(1)
            emitter.send(2)
            subscriber.subscription?.cancel()
            subscriber.subscription?.request(.unlimited)
            emitter.send(3)
            emitter.complete()
            #expect(subscriber.entries == ["1"])
            #expect(!signal.hasObservers)
        }

        @Test(arguments: [false, true]) func theSubscriberIsReleasedWhenItsSubscriptionEnds(_ cancels: Bool) {
            let (signal, emitter) = Signal<Int>.pipe()
            var subscriber: ManualSubscriber<Int>? = ManualSubscriber()
            weak let released = subscriber
            if let subscriber { signal.publisher().subscribe(subscriber) }
            let subscription = subscriber?.subscription
            subscriber?.subscription = nil
            subscriber = nil
            #expect(released != nil)
            if cancels { subscription?.cancel() } else { emitter.complete() }
            #expect(released == nil)
        }

        @Test func racingValuesAndRequestsAreDeliveredOnceAndInOrder() async throws {
            let (signal, emitter) = Signal<Int>.pipe()
            // Requests one value at a time, on the thread of the test.
            var iterator = signal.publisher().values.makeAsyncIterator()
            async let sent: Void = Self.send(5_000, to: emitter)
            var values: [Int] = []
            while let value = try await iterator.next() { values.append(value) }
            await sent
            #expect(values == Array(0..<5_000))
        }

        @concurrent private static func send(_ count: Int, to emitter: Emitter<Int>) async {
            for value in 0..<count { emitter.send(value) }
            emitter.complete()
        }

        @Test func aPublisherAsAStream() {
            #expect(VirtualTime().play([1, 2].publisher.map { "\($0)" }.asObservable()).marbles == "(12|)")
        }

        @Test func aFailureOfThePublisherIsThatOfTheStream() {
            let publisher = Fail<String, Refused>(error: Refused())
            #expect(VirtualTime().play(publisher.asObservable()).marbles == "#")
        }

        @Test func anEndlessSynchronousPublisherEndsWithItsStream() {
            #expect(VirtualTime().play((1...).publisher.asObservable().take(2).map { "\($0)" }).marbles == "(12|)")
        }

        @Test func cancellingTheStreamCancelsThePublisher() {
            var cancels = 0
            let publisher = PassthroughSubject<Int, Never>().handleEvents(receiveCancel: { cancels += 1 })
            let subscription = publisher.asObservable().subscribe { _ in }
            #expect(cancels == 0)
            subscription.cancel()
            #expect(cancels == 1)
        }
    }

    private struct Refused: Error {}

    /// A subscriber that records its events, and demands no more than a test says.
    private final class ManualSubscriber<Input>: Subscriber {
        typealias Failure = any Error

        let initialDemand: Subscribers.Demand
        let demandOfAValue: Subscribers.Demand
        let requestsInsideAValue: Bool
        let cancelsAtOnce: Bool
        var subscription: (any Combine.Subscription)?
        private(set) var entries: [String] = []
        /// The maximum number of deliveries at the same time.
        private(set) var deepest = 0
        private var depth = 0

        init(
            initialDemand: Subscribers.Demand = .none, demandOfAValue: Subscribers.Demand = .none,
            requestsInsideAValue: Bool = false, cancelsAtOnce: Bool = false
        ) {
            self.initialDemand = initialDemand
            self.demandOfAValue = demandOfAValue
            self.requestsInsideAValue = requestsInsideAValue
            self.cancelsAtOnce = cancelsAtOnce
        }

        func receive(subscription: any Combine.Subscription) {
            self.subscription = subscription
            if cancelsAtOnce { subscription.cancel() }
            if initialDemand > 0 { subscription.request(initialDemand) }
        }

        func receive(_ input: Input) -> Subscribers.Demand {
            depth += 1
            deepest = max(deepest, depth)
            entries.append("\(input)")
            if requestsInsideAValue { subscription?.request(.max(1)) }
            depth -= 1
            return demandOfAValue
        }

        func receive(completion: Subscribers.Completion<any Error>) {
            switch completion {
            case .finished: entries.append("finished")
            case .failure(let error): entries.append("failed: \(error)")
            }
        }
    }
#endif

import MoyaScheduling
public import MoyaStreams
public import RxMoyaCompatibility

/// A stream with given events, which records its subscriptions.
@available(*, deprecated, message: "use hot(_:) and cold(_:) of a VirtualTime")
public final class TestableObservable<Element: Sendable>: ObservableType {
    private struct State {
        var subscriptions: [Subscription] = []
        var emitters: [Int: Emitter<Element>] = [:]
    }

    /// The given events.
    public let recordedEvents: [Recorded<Event<Element>>]
    private let scheduler: TestScheduler
    private let isHot: Bool
    private let state = Locked(State())

    init(_ events: [Recorded<Event<Element>>], on scheduler: TestScheduler, isHot: Bool) {
        recordedEvents = events
        self.scheduler = scheduler
        self.isHot = isHot
        guard isHot else { return }
        for event in events {
            scheduler.scheduleAt(event.time) { [weak self] in
                guard let self else { return }
                for emitter in state.withLock({ $0.emitters.sorted { $0.key < $1.key } }) {
                    emitter.value.send(event: event.value)
                }
            }
        }
    }

    /// The ticks of the subscriptions.
    public var subscriptions: [Subscription] { state.withLock(\.subscriptions) }

    /// The stream.
    public var observable: Observable<Element> {
        Observable { [self] emitter in
            let begin = scheduler.clock
            let index = state.withLock { state in
                state.subscriptions.append(Subscription(begin))
                if isHot { state.emitters[state.subscriptions.count - 1] = emitter }
                return state.subscriptions.count - 1
            }
            emitter.onTermination { [self] in
                let end = Subscription(begin, scheduler.clock)
                state.withLock { state in
                    state.subscriptions[index] = end
                    state.emitters[index] = nil
                }
            }
            guard !isHot else { return }
            for event in recordedEvents {
                let work = scheduler.schedule(after: scheduler.resolution * event.time) {
                    emitter.send(event: event.value)
                }
                emitter.onTermination { work.cancel() }
            }
        }
    }
}

/// An observer that records events with their ticks.
@available(*, deprecated, message: "use record(_:) of a VirtualTime")
public final class TestableObserver<Element: Sendable>: ObserverType {
    private let scheduler: TestScheduler
    private let recorded = Locked<[Recorded<Event<Element>>]>([])

    init(on scheduler: TestScheduler) {
        self.scheduler = scheduler
    }

    /// The events so far.
    public var events: [Recorded<Event<Element>>] { recorded.withLock(\.self) }

    /// Records an event.
    public func on(_ event: Event<Element>) {
        let event = Recorded(time: scheduler.clock, value: event)
        recorded.withLock { $0.append(event) }
    }
}

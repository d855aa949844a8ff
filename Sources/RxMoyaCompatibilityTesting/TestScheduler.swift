public import MoyaScheduling
public import MoyaStreams
public import MoyaTesting
import RxMoyaCompatibility

/// A scheduler with a virtual clock that counts whole ticks: RxTest's, over a `VirtualTime`.
///
/// ```swift
/// let scheduler = TestScheduler(initialClock: 0)
/// let typed = scheduler.createHotObservable([.next(210, "a"), .next(220, "ab"), .completed(300)])
/// let result = scheduler.start { typed.debounce(.seconds(20), scheduler: scheduler) }
/// result.events    // [.next(240, "ab"), .completed(300)]
/// ```
/// A tick is a second, so that `.seconds(20)` are 20 ticks. Work without a delay runs a tick later. One thread at a
/// time uses the scheduler.
@available(*, deprecated, message: "use VirtualTime, whose marbles are shorter: time.play(time.hot(…).debounce(…))")
public final class TestScheduler: Scheduler {
    /// The times at which `start` creates, subscribes and disposes of a stream.
    public enum Defaults {
        /// When the stream is created.
        public static let created = 100
        /// When the stream is subscribed to.
        public static let subscribed = 200
        /// When the subscription is disposed of.
        public static let disposed = 1000
    }

    /// The clock that this scheduler counts in ticks.
    public let time: VirtualTime
    let resolution: Duration
    private let initialClock: Int
    private let shortestDelay: Duration

    /// Creates a scheduler.
    ///
    /// - Parameters:
    ///   - initialClock: the number of ticks at the beginning.
    ///   - resolution: the duration of a tick in seconds.
    ///   - simulateProcessingDelay: whether work without a delay runs a tick later.
    public init(initialClock: Int, resolution: Double = 1, simulateProcessingDelay: Bool = true) {
        self.initialClock = initialClock
        self.resolution = .seconds(resolution)
        shortestDelay = simulateProcessingDelay ? .seconds(resolution) : .zero
        time = VirtualTime(tick: .seconds(resolution), timeLimit: .seconds(resolution * 1_000_000))
    }

    /// The number of ticks.
    public var clock: Int { initialClock + Int((time.elapsed / resolution).rounded()) }
    /// The time of the clock.
    public var now: Duration { time.now }

    /// Runs `work` after `delay`, but at least a tick later.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable { time.schedule(after: max(delay, shortestDelay), fileID: fileID, line: line, work) }

    /// Runs `action` at a tick, or at the next one if that has passed.
    @preconcurrency
    public func scheduleAt(_ tick: Int, action: @escaping @Sendable () -> Void) {
        schedule(after: resolution * max(tick - clock, 0), action)
    }

    /// Runs all work.
    public func start() { time.run() }

    /// Runs the work until a tick, and that of the tick itself.
    public func advanceTo(_ tick: Int) { time.run(until: resolution * (tick - initialClock)) }

    /// Not available: the clock stops where you say when you start it.
    @available(*, unavailable, message: "start with advanceTo(_:), which runs the work until a tick")
    public func stop() {}

    /// Not available: the clock does not skip work.
    @available(*, unavailable, message: "use advanceTo(clock + ticks), which also runs the work until then")
    public func sleep(_ ticks: Int) {}

    /// Returns a stream whose events are sent at the given ticks, whether or not there are subscribers.
    public func createHotObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>]
    ) -> TestableObservable<Element> { TestableObservable(events, on: self, isHot: true) }

    /// Returns a stream whose events are sent at the given ticks after each subscription.
    public func createColdObservable<Element: Sendable>(
        _ events: [Recorded<Event<Element>>]
    ) -> TestableObservable<Element> { TestableObservable(events, on: self, isHot: false) }

    /// Returns an observer that records events with their ticks.
    public func createObserver<Element: Sendable>(_ type: Element.Type) -> TestableObserver<Element> {
        TestableObserver(on: self)
    }

    /// Creates, subscribes to and disposes of a stream at the given ticks, runs all work, and returns the events.
    @preconcurrency
    public func start<Source: Subscribable>(
        created: Int = Defaults.created, subscribed: Int = Defaults.subscribed, disposed: Int = Defaults.disposed,
        create: @escaping @Sendable () -> Source
    ) -> TestableObserver<Source.Element> {
        let observer = createObserver(Source.Element.self)
        let source = Locked<Source?>(nil)
        let subscription = Locked<MoyaStreams.Subscription?>(nil)
        scheduleAt(created) {
            let made = create()
            source.withLock { $0 = made }
        }
        scheduleAt(subscribed) {
            let made = source.withLock(\.self)?.observable.subscribe(observer)
            subscription.withLock { $0 = made }
        }
        scheduleAt(disposed) { subscription.withLock(\.self)?.cancel() }
        start()
        return observer
    }
}

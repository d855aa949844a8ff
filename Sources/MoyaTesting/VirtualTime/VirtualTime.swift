public import Moya

/// A clock that a test moves: what is scheduled runs when the test says that the time has come, and at once.
///
/// ```swift
/// let time = VirtualTime()
/// let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(3), scheduler: time)
/// let user = time.record(provider.request(.showUser(id: 5)).map(User.self))
/// time.advance(by: .seconds(3))
/// user.elements    // [User(id: 5)]
/// ```
/// Work runs on the thread that moves the time, in the order of its instants, first in, first out for the same instant.
/// A virtual time may be used from any thread, but should be moved by one.
public final class VirtualTime: Scheduler {
    private struct State: Sendable {
        var now = Duration.zero
        var agenda = Agenda<ScheduledWork>()
    }

    /// What one character of a marble diagram stands for.
    public let tick: Duration

    private let state = Guarded(State())

    /// A clock at zero.
    ///
    /// - Parameter tick: what one character of a marble diagram stands for.
    public init(tick: Duration = .milliseconds(1)) {
        self.tick = tick
    }

    /// The time since this clock was made.
    public var now: Duration { state.withLock { $0.now } }

    /// The time since this clock was made.
    public var elapsed: Duration { now }

    /// Runs `work` when the clock has been moved by `delay`.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> any Cancellable {
        let work = ScheduledWork(work)
        state.withLock { $0.agenda.insert(work, due: $0.now + max(delay, .zero)) }
        return work
    }

    /// Moves the clock, and runs what becomes due on the way, each at its own time.
    public func advance(by duration: Duration) {
        let end = now + max(duration, .zero)
        while let work = next(until: end) { work.run() }
        state.withLock { $0.now = max($0.now, end) }
    }

    /// Moves the clock until nothing is scheduled any more.
    ///
    /// - Parameter limit: where to stop at the latest: work that schedules itself again would go on for ever.
    /// - Returns: whether it came to rest within the limit.
    @discardableResult
    public func run(limit: Duration = .seconds(3600)) -> Bool {
        let end = now + limit
        while let work = next(until: end) { work.run() }
        return !state.withLock { $0.agenda.entries }.contains { $0.item.isWaiting }
    }

    private func next(until end: Duration) -> ScheduledWork? {
        var dropped: [ScheduledWork] = []
        defer { dropped.removeAll() }
        return state.withLock { state in
            while let entry = state.agenda.pop(dueBy: end) {
                guard entry.item.isWaiting else {
                    dropped.append(entry.item)
                    continue
                }
                state.now = max(state.now, entry.due)
                return entry.item
            }
            return nil
        }
    }
}

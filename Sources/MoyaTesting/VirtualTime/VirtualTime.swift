import Foundation
public import MoyaScheduling

/// A virtual clock that a test moves; scheduled work runs as soon as the clock reaches the due time of the work.
///
/// A `VirtualTime` is a `Scheduler` for streams and providers, a `Clock` for code that sleeps, and the executor of the
/// async code that is passed to ``run(_:)``.
///
/// ```swift
/// let time = VirtualTime()
/// let provider = MoyaProvider<MyService>(stubClosure: MoyaProvider.delayedStub(3), scheduler: time)
/// let user = time.record(provider.request(.showUser(id: 5)).map(User.self))
/// time.advance(by: .seconds(3))
/// user.elements    // [User(id: 5)]
/// ```
/// Work runs on the thread that moves the clock, in the order of due times. Without a ``seed``, simultaneous work runs
/// first in, first out. Any thread may use the clock, but only one thread should move it. A test on the main actor
/// moves the clock with ``onMainActor``.
///
/// A provider with this scheduler delivers responses in virtual time, too, if its transport responds before `start`
/// returns, or on this scheduler: pass the clock to a `StubTransport` with a delay, and to the ``ReplayOptions``. The
/// clock waits for no other thread. If a transport has not responded, the clock moves on to the timeout; so it does
/// while a request is sent to a real server.
///
/// A clock that is never moved, although something waits for it, says so on the standard error after five seconds.
///
/// Endless work does not hang a test. At the limit of events or time, the clock stops, open recordings fail with a
/// ``VirtualTimeError``, and ``run(_:)`` throws this error.
public final class VirtualTime: Scheduler {
    struct QueuedWork: Sendable {
        let work: ScheduledWork
        let kind: PendingWork.Kind
        /// The source location of the call that scheduled the work; `nil` for a sleeping task.
        let place: CallSite?
    }

    struct State: Sendable {
        var now = Duration.zero
        var heap = TimerHeap<QueuedWork>()
        var jobs = JobQueue()
        var generator: SeededGenerator?
        var trackedSubscriptions: [TrackedSubscription] = []
        /// The number above which those that have ended are removed.
        var trackingLimit = 100
        var wasMoved = false
        /// Whether something has asked for the time, such as a request with a stub that responds immediately.
        var wasRead = false
        /// What was reported last; a loop that moves the clock reports it once.
        var reported: String?
        /// The calls that move the clock on the main actor, of which the innermost one moves it.
        var moves = 0
    }

    /// The duration of one character of a marble diagram.
    public let tick: Duration

    /// The seed of the random order in which the clock runs simultaneous work; `nil` for first in, first out.
    public let seed: UInt64?

    let eventLimit: Int
    let timeLimit: Duration
    let realTimeLimit: Duration
    let state: Locked<State>
    let wakeUp = WakeUpCondition()

    /// Creates a clock at zero.
    ///
    /// - Parameters:
    ///   - tick: the duration of one character of a marble diagram.
    ///   - seed: the seed of the order of simultaneous work, see ``explore(seeds:_:)``; `nil` for first in, first out.
    ///   - eventLimit: the maximum number of work items that run in one call that moves the clock.
    ///   - timeLimit: the maximum time by which ``run()`` moves the clock.
    ///   - realTimeLimit: the maximum time, of the real clock, for which ``run(_:)`` waits for other threads while
    ///     nothing is scheduled; if it is longer than two minutes, also the limit of each call of ``onMainActor``.
    public init(
        tick: Duration = .milliseconds(1), seed: UInt64? = nil, eventLimit: Int = 1_000_000,
        timeLimit: Duration = .seconds(3600), realTimeLimit: Duration = .seconds(5)
    ) {
        self.tick = max(tick, .nanoseconds(1)).wholeNanoseconds
        self.seed = seed
        self.eventLimit = eventLimit
        self.timeLimit = timeLimit.clamped
        self.realTimeLimit = realTimeLimit.clamped
        state = Locked(State(generator: seed.map { SeededGenerator(seed: $0) }))
    }

    /// The time since the creation of the clock.
    public var elapsed: Duration { state.withLock { $0.now } }

    /// Runs `work` when the clock has been moved by `delay`.
    @discardableResult
    public func schedule(
        after delay: Duration, fileID: String, line: UInt, _ work: @escaping @Sendable () -> Void
    ) -> any Cancellable {
        enter(work, after: delay, at: CallSite(fileID: fileID, line: line))
    }

    @discardableResult
    func enter(
        _ work: @escaping @Sendable () -> Void, after delay: Duration, at place: CallSite?,
        kind: PendingWork.Kind = .timer
    ) -> ScheduledWork {
        let item = QueuedWork(work: ScheduledWork(work), kind: kind, place: place)
        state.withLock {
            $0.heap.insert(item, due: $0.now + max(delay, .zero).wholeNanoseconds, rank: $0.generator?.next())
        }
        wake()
        return item.work
    }

    /// Wakes a thread that waits in ``run(_:)``; after the first use, checks once that something moves the clock.
    func wake() {
        guard wakeUp.signal() == 1 else { return }
        DispatchScheduler.background.schedule(after: .seconds(5)) { [weak self] in
            self?.report(self?.reasonForStandstill)
        }
    }

    /// What waits for a clock that was never moved, and how to move it; `nil` if there is nothing to say.
    var reasonForStandstill: String? {
        guard !state.withLock({ $0.wasMoved }), let work = leftovers.first(where: { $0.kind != .subscription }) else {
            return nil
        }
        return "Nothing moves a virtual clock, and this waits for it: \(work). Run the code that waits with"
            + " `time.run { … }`, on the main actor with `time.onMainActor.run { … }`; or call `advance(by:)`."
    }

    /// Moves the clock by `duration`; scheduled work runs when the clock reaches the due time of the work.
    ///
    /// If nothing was scheduled on the clock, a message on the standard error says so: the test may not pass it on.
    public func advance(by duration: Duration) {
        run(until: elapsed + max(duration, .zero).wholeNanoseconds)
        report(reasonForNoEffect)
    }

    /// The reason why moving the clock had no effect; `nil` once something has used the clock.
    var reasonForNoEffect: String? {
        guard wakeUp.count == 0, !state.withLock({ $0.wasRead }) else { return nil }
        return "A virtual clock was moved, but nothing has been scheduled on it. Pass the clock to what waits:"
            + " `scheduler: time` to a provider, `on: time` to an operator. If a `Task` waits, it may not have begun:"
            + " run async code with `time.run { … }`, or on the main actor with `time.onMainActor`."
    }

    func report(_ reason: String?) {
        guard let reason, state.withLock({ exchange(&$0.reported, with: reason) }) != reason else { return }
        FileHandle.standardError.write(Data("\(reason)\n".utf8))
    }

    /// Moves the clock to `end`; scheduled work runs when the clock reaches the due time of the work.
    ///
    /// `end` is a time since the start of the clock, at most 100 years, rounded up to whole nanoseconds. The clock
    /// never moves back.
    public func run(until end: Duration) {
        let end = end.wholeNanoseconds
        do throws(VirtualTimeError) {
            var runner = DueWorkRunner(self)
            while try runner.step(until: end) {}
            state.withLock { $0.now = max($0.now, end) }
        } catch {
            abandon(error)
        }
    }

    /// Moves the clock until no work is pending.
    ///
    /// - Returns: false if the clock was stopped at a limit.
    @discardableResult
    public func run() -> Bool {
        do throws(VirtualTimeError) {
            var runner = DueWorkRunner(self)
            while try runner.step(until: nil) {}
            return true
        } catch {
            abandon(error)
            return false
        }
    }

    /// Ends the open recordings with an error; without any, prints the error, unless it is thrown.
    func abandon(_ error: VirtualTimeError, isThrown: Bool = false) {
        let open = state.withLock { $0.trackedSubscriptions }.filter(\.isOpen)
        if open.isEmpty, !isThrown { report(error.description) }
        for subscription in open { subscription.abandon(error) }
    }
}

extension Duration {
    /// At most 100 years, rounded up to whole nanoseconds, in which diagrams are written.
    var wholeNanoseconds: Duration { .nanoseconds(nanoseconds) }
}

extension VirtualTime: VirtualScheduler {
    package var clock: any TaskExecutor { self }
}

/// The location of a call in source code.
public struct CallSite: Sendable, Hashable, CustomStringConvertible {
    /// The file, as in `#fileID`.
    public let fileID: String
    /// The line.
    public let line: UInt

    /// The module, the file and the line, such as `MyTests/SearchTests.swift:12`.
    public var description: String { "\(fileID):\(line)" }
}

/// The error of a clock that stopped at a limit, or because async code waits although no work is scheduled.
public struct VirtualTimeError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, the source location and the remedy.
    public let description: String

    static func nothingScheduled(onMainActor: Bool = false) -> VirtualTimeError {
        VirtualTimeError(
            description: "the async code waits, but nothing is scheduled that could wake it up:"
                + " does it sleep on another clock, or is a continuation never resumed?"
                + (onMainActor
                    ? ""
                    : " Run code of the main actor with `time.onMainActor.run { … }`. If parallel tests occupy all"
                        + " threads, give a `Task.detached` the clock as its `executorPreference`."))
    }
}

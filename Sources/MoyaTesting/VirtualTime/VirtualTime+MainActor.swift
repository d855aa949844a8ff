import Dispatch
import Foundation
import MoyaScheduling

extension VirtualTime {
    /// The clock for tests of code on the main actor.
    ///
    /// The methods of ``VirtualTime`` block the thread that calls them: called on the main actor, they wait in vain for
    /// code that needs the main actor. Those of ``MainActorTime`` let it run:
    ///
    /// ```swift
    /// @MainActor @Test func searches() async {
    ///     let time = VirtualTime()
    ///     let model = SearchModel(clock: time)
    ///     model.text = "moya"
    ///     await time.onMainActor.advance(by: .milliseconds(300))
    ///     #expect(model.results.count == 1)
    /// }
    /// ```
    public var onMainActor: MainActorTime { MainActorTime(time: self) }
}

/// A virtual clock that is moved on the main actor, and waits for the code that runs there.
///
/// Only the test moves it. The code that is tested gets the ``VirtualTime`` itself, where it expects a scheduler.
///
/// Before the clock moves on, the main actor, the clock and the global executor get several turns, until none of them
/// schedules work for the clock. Code that only uses the main actor and the clock runs without a wait in real time.
/// Other code has a short time only: a `Task` that computes for more than 20 milliseconds in the background, or waits
/// for a server, may find that the clock has moved on; so may any `Task` in the background if a thread is blocked.
/// Because these turns take time, the clock also stops with an error if a call takes longer than two minutes of real
/// time, and than the clock's `realTimeLimit`.
public struct MainActorTime: Sendable {
    let time: VirtualTime
    var minimumRealTimeLimit = Duration.seconds(120)

    /// Runs async code on the main actor to its end in virtual time.
    ///
    /// Nonisolated functions that the code awaits, and its child tasks, run on the clock, on the same thread.
    ///
    /// ```swift
    /// let user = try await time.onMainActor.run { try await model.load() }
    /// ```
    /// - Parameter body: the async code.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, or a ``VirtualTimeError`` if the code exceeds the limits of the clock, or waits
    ///   although nothing is scheduled.
    @MainActor
    public func run<Value: Sendable>(_ body: @escaping @MainActor () async throws -> Value) async throws -> Value {
        let outcome = TaskOutcome<Value>()
        let task = Task(executorPreference: time) { [time] in
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
            time.wakeUp.signal()
        }
        let result: Result<Value, any Error>
        do throws(VirtualTimeError) {
            result = try await runUntilFinished(outcome)
        } catch {
            task.cancel()
            time.abandon(error, isThrown: true)
            throw error
        }
        return try result.get()
    }

    /// Moves the clock until no work is pending.
    ///
    /// - Returns: false if the clock was stopped at a limit.
    @MainActor
    @discardableResult
    public func run() async -> Bool {
        time.state.withLock { $0.moves += 1 }
        defer { time.state.withLock { $0.moves -= 1 } }
        do throws(VirtualTimeError) {
            var runner = newRunner()
            while try await step(&runner, until: nil) {}
            return true
        } catch {
            time.abandon(error)
            return false
        }
    }

    /// Moves the clock by `duration`; scheduled work runs when the clock reaches the due time of the work.
    @MainActor
    public func advance(by duration: Duration) async {
        time.state.withLock { $0.moves += 1 }
        defer { time.state.withLock { $0.moves -= 1 } }
        let end = time.elapsed + max(duration, .zero).wholeNanoseconds
        do throws(VirtualTimeError) {
            var runner = newRunner()
            while try await step(&runner, until: end) {}
            time.state.withLock { $0.now = max($0.now, end) }
        } catch {
            time.abandon(error)
        }
        time.report(time.reasonForNoEffect)
    }

    @MainActor
    private func runUntilFinished<Value>(
        _ outcome: TaskOutcome<Value>
    ) async throws(VirtualTimeError) -> Result<Value, any Error> {
        let depth = time.state.withLock { state in
            state.moves += 1
            return state.moves
        }
        defer { time.state.withLock { $0.moves -= 1 } }
        func hasInnerMove() -> Bool { time.state.withLock { $0.moves > depth } }
        var runner = newRunner()
        while true {
            if let result = outcome.result {
                while try runner.step(until: time.elapsed) {}
                return result
            }
            while hasInnerMove() { await pause() }
            let before = time.wakeUp.count
            if try await step(&runner, until: nil, unless: { outcome.result != nil || hasInnerMove() }) { continue }
            let end = ContinuousClock.now + time.realTimeLimit
            while time.wakeUp.count == before, !hasInnerMove() {
                guard ContinuousClock.now < end else { throw VirtualTimeError.nothingScheduled(onMainActor: true) }
                await pause()
            }
        }
    }

    private func newRunner() -> DueWorkRunner {
        DueWorkRunner(time, realTimeLimit: max(minimumRealTimeLimit, time.realTimeLimit))
    }

    @MainActor
    private func pause() async {
        await withCheckedContinuation { continuation in
            DispatchScheduler.background.schedule(after: .milliseconds(1)) { continuation.resume() }
        }
    }

    /// Runs the work that is due now and lets other code run; then runs the next work, unless `isFinished`.
    ///
    /// - Returns: false if no work was due by `end`.
    @MainActor
    private func step(
        _ runner: inout DueWorkRunner, until end: Duration?, unless isFinished: () -> Bool = { false }
    ) async throws(VirtualTimeError) -> Bool {
        repeat {
            while try runner.step(until: time.elapsed) {}
            if isFinished() { return true }
        } while await !isIdle(&runner)
        return isFinished() ? true : try runner.step(until: end)
    }

    /// Gives turns to the main actor and to the global executor; returns whether they have not used the clock.
    @MainActor
    private func isIdle(_ runner: inout DueWorkRunner) async -> Bool {
        // The turns of a task that prefers the clock's executor would use the clock.
        await withTaskExecutorPreference(globalConcurrentExecutor) { await isUnused(&runner) }
    }

    @MainActor
    private func isUnused(_ runner: inout DueWorkRunner) async -> Bool {
        let before = time.wakeUp.count
        for _ in 0..<5 {
            for priority in [TaskPriority.high, .medium, .low] where runner.awaitsThreads {
                runner.awaitsThreads = await ThreadBarrier.pass(priority)
            }
            if !runner.awaitsThreads { await Task.detached(priority: .low) { await Task.yield() }.value }
            for _ in 0..<20 { await Task.yield() }
            if time.wakeUp.count != before { return false }
        }
        return true
    }
}

/// Occupies all threads of the global executor at once: then each has ended the job that it ran before.
private final class ThreadBarrier: Sendable {
    private let threads = ProcessInfo.processInfo.activeProcessorCount
    private let state = Locked((entered: 0, left: 0, isBroken: false))
    private let isComplete = DispatchSemaphore(value: 0)

    /// Waits for the threads of a priority, which on Linux are others than those of other priorities.
    ///
    /// - Returns: false if a job takes longer than 20 milliseconds; its thread may be blocked.
    static func pass(_ priority: TaskPriority) async -> Bool {
        let barrier = ThreadBarrier()
        return await withCheckedContinuation { continuation in
            for _ in 0..<barrier.threads {
                Task.detached(priority: priority) {
                    if let isPassed = barrier.enter() { continuation.resume(returning: isPassed) }
                }
            }
        }
    }

    /// Waits until all threads have entered; returns whether they have, on the last thread that leaves.
    private func enter() -> Bool? {
        let isLast = state.withLock { state in
            state.entered += 1
            return state.entered == threads
        }
        let isPassed = isLast || isComplete.wait(timeout: .now() + .milliseconds(20)) == .success
        if isPassed { isComplete.signal() }
        return state.withLock { state in
            state.left += 1
            state.isBroken = state.isBroken || !isPassed
            return state.left == threads ? !state.isBroken : nil
        }
    }
}

import Foundation
import MoyaScheduling

extension VirtualTime: TaskExecutor {
    /// Enqueues a job of async code; the job runs when the clock is moved, or during ``run(_:)``.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = Job(job)
        state.withLock { $0.jobs.append(job) }
        wake()
    }

    /// Runs async code to its end in virtual time, on the calling thread.
    ///
    /// While the code waits for this clock, the method moves the clock.
    ///
    /// ```swift
    /// let zen = try time.run { try await provider.response(.zen).mapString() }
    /// ```
    /// Write `#expect` around the call, as in `#expect(try time.run { try await value() } == 1)`. If each `try` of the
    /// closure is inside `#expect`, the compiler does not see that the closure throws: begin it with `() throws in`.
    ///
    /// The code and its child tasks run in the same order in each run of a test. An unstructured `Task { … }` and code
    /// on an actor with a custom executor run on other threads. If the clock has no other work, the method waits for
    /// these threads, and throws an error if they schedule nothing within the clock's `realTimeLimit`. The method
    /// blocks its thread: for code on the main actor, use ``onMainActor``.
    ///
    /// Parallel tests may block all threads for tasks of their priority. The code therefore runs with another priority,
    /// which an unstructured `Task { … }` inherits. A `Task.detached { … }` does not: if it finds no thread, give it a
    /// priority, or this clock as the `executorPreference`.
    ///
    /// - Parameter body: the async code.
    /// - Returns: the result of `body`.
    /// - Throws: the error of `body`, or a ``VirtualTimeError`` if the code exceeds the limits of the clock, or waits
    ///   although nothing is scheduled.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let outcome = TaskOutcome<Value>()
        // Blocked threads serve one priority only.
        let priority: TaskPriority = Task.currentPriority < .high ? .high : .medium
        let task = Task(executorPreference: self, priority: priority) {
            do { outcome.set(.success(try await body())) } catch { outcome.set(.failure(error)) }
            self.wakeUp.signal()
        }
        let result: Result<Value, any Error>
        do throws(VirtualTimeError) {
            result = try runUntilFinished(outcome)
        } catch {
            task.cancel()
            abandon(error, isThrown: true)
            // Lets the cancelled code end.
            var runner = DueWorkRunner(self)
            while (try? runner.step(until: elapsed)) == true {}
            throw error
        }
        return try result.get()
    }

    private func runUntilFinished<Value>(_ outcome: TaskOutcome<Value>) throws(VirtualTimeError) -> Result<
        Value, any Error
    > {
        var runner = DueWorkRunner(self)
        while true {
            if let result = outcome.result {
                // What the code has caused until now, such as the last events for observers.
                while try runner.step(until: elapsed) {}
                return result
            }
            let before = wakeUp.count
            if try runner.step(until: nil) { continue }
            guard outcome.result == nil, !wakeUp.wait(after: before, timeout: realTimeLimit / .seconds(1)) else {
                continue
            }
            throw .nothingScheduled()
        }
    }
}

final class TaskOutcome<Value: Sendable>: Sendable {
    private let storage = Locked<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { storage.withLock { $0 } }

    func set(_ result: Result<Value, any Error>) {
        storage.withLock { $0 = result }
    }
}

/// A condition variable for the thread that moves a clock, signalled when work is scheduled or async code has ended.
final class WakeUpCondition: Sendable {
    private let condition = NSCondition()
    private let signals = Locked(0)

    var count: Int { signals.withLock { $0 } }

    /// Wakes the thread that waits; returns the number of signals so far.
    @discardableResult
    func signal() -> Int {
        condition.lock()
        defer { condition.unlock() }
        condition.broadcast()
        return signals.withLock { signals in
            signals += 1
            return signals
        }
    }

    func wait(after count: Int, timeout seconds: TimeInterval) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: seconds)
        while signals.withLock({ $0 }) == count {
            guard condition.wait(until: end) else { return false }
        }
        return true
    }
}

import Foundation
import MoyaScheduling

extension VirtualTime: TaskExecutor {
    /// Takes async code that is ready to run; it does when the clock is moved next, or by ``run(_:)``.
    public func enqueue(_ job: consuming ExecutorJob) {
        let job = Job(job)
        state.withLock { $0.jobs.append(job) }
        bell.ring()
    }

    /// Runs async code to its end in virtual time, on the calling thread: whenever it waits for this clock, the clock
    /// is moved.
    ///
    /// ```swift
    /// let zen = try time.run { try await provider.response(.zen).mapString() }
    /// ```
    /// The same code runs in the same order each time, child tasks included. An unstructured `Task { … }` and code on an
    /// actor with an executor of its own run elsewhere; the clock waits for them when it has nothing else to do.
    ///
    /// - Parameter body: the code.
    /// - Returns: what it returns.
    /// - Throws: what it throws, or a ``VirtualTimeError`` when it goes on for ever, or waits for nothing.
    public func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
        let box = Outcome<Value>()
        let task = Task(executorPreference: self) {
            do { box.fulfil(.success(try await body())) } catch { box.fulfil(.failure(error)) }
            self.bell.ring()
        }
        let result: Result<Value, any Error>
        do throws(VirtualTimeError) {
            result = try finish(box)
        } catch {
            task.cancel()
            abandon(error)
            throw error
        }
        return try result.get()
    }

    private func finish<Value>(_ outcome: Outcome<Value>) throws(VirtualTimeError) -> Result<Value, any Error> {
        var runner = ClockRunner(self)
        while true {
            if let result = outcome.result { return result }
            let before = bell.count
            if try runner.step(until: nil) { continue }
            guard outcome.result == nil, !bell.waits(for: before, atMost: 5) else { continue }
            throw VirtualTimeError(
                description: "the async code waits, but nothing is scheduled that could wake it up:"
                    + " is it to use this clock, or is something never resumed?")
        }
    }
}

/// The result of async code.
private final class Outcome<Value: Sendable>: Sendable {
    private let storage = Locked<Result<Value, any Error>?>(nil)

    var result: Result<Value, any Error>? { storage.withLock { $0 } }

    func fulfil(_ result: Result<Value, any Error>) {
        storage.withLock { $0 = result }
    }
}

/// Wakes up the thread that moves a clock when another thread has something for it.
final class Bell: Sendable {
    private let condition = NSCondition()
    private let rung = Locked(0)

    var count: Int { rung.withLock { $0 } }

    func ring() {
        condition.lock()
        rung.withLock { $0 += 1 }
        condition.broadcast()
        condition.unlock()
    }

    /// Waits until it has rung more than `count` times; says whether it did.
    func waits(for count: Int, atMost seconds: TimeInterval) -> Bool {
        condition.lock()
        defer { condition.unlock() }
        let end = Date(timeIntervalSinceNow: seconds)
        while rung.withLock({ $0 }) == count {
            guard condition.wait(until: end) else { return false }
        }
        return true
    }
}

import Dispatch
import Foundation
import MoyaScheduling

/// A value that is set later; tests wait for it with a time limit.
package final class Promise<Value: Sendable>: Sendable {
    package struct TookTooLong: Error {}

    private struct State: Sendable {
        var value: Value?
        var waiting: [CheckedContinuation<Value?, Never>] = []
    }

    private let state = Locked(State())

    package init() {}

    package var isFulfilled: Bool { state.withLock { $0.value != nil } }

    /// Sets the value; later calls have no effect.
    package func fulfill(_ value: Value) {
        let waiting = state.withLock { state in
            guard state.value == nil else { return [CheckedContinuation<Value?, Never>]() }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// Waits for the value; throws `TookTooLong` after the time limit.
    package func value(within bound: Duration = .seconds(180)) async throws -> Value {
        let timer = (DispatchScheduler.background as any Scheduler).schedule(after: bound) { [self] in giveUp() }
        defer { timer.cancel() }
        let value = await withCheckedContinuation { continuation in
            let value = state.withLock { state in
                if state.value == nil { state.waiting.append(continuation) }
                return state.value
            }
            if let value { continuation.resume(returning: value) }
        }
        guard let value else { throw TookTooLong() }
        return value
    }

    private func giveUp() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }
}

/// Runs `body` on another thread; returns whether it has finished within the time limit.
///
/// Returns false if `body` waits for a lock that the caller holds.
package func finishesOnAnotherThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let done = DispatchSemaphore(value: 0)
    Thread.detachNewThread {
        body()
        done.signal()
    }
    return done.wait(timeout: .now() + 10) == .success
}

/// Runs `body` concurrently for each item, each on its own thread, and waits for all of them.
package func inParallel<Item: Sendable>(_ items: [Item], _ body: @escaping @Sendable (Item) -> Void) {
    let start = DispatchSemaphore(value: 0)
    let done = DispatchGroup()
    for item in items {
        done.enter()
        Thread.detachNewThread {
            start.wait()
            body(item)
            done.leave()
        }
    }
    for _ in items { start.signal() }
    done.wait()
}

/// Waits for a condition with a time limit.
package func until(_ condition: @escaping @Sendable () -> Bool) async throws {
    let held = Promise<Void>()
    // Hundreds of tests may wait at the same time, so that each looks less and less often.
    @Sendable func look(next: Int) {
        if condition() { return held.fulfill(()) }
        DispatchScheduler.background.schedule(after: .milliseconds(next)) { look(next: min(2 * next, 32)) }
    }
    look(next: 1)
    try await held.value()
}

/// Blocks the thread until a condition is true, for ten seconds at most.
///
/// A loop without a pause could keep other threads from the lock that the condition takes.
package func block(until condition: () -> Bool) {
    let (pause, end) = (DispatchSemaphore(value: 0), ContinuousClock.now + .seconds(10))
    while !condition(), ContinuousClock.now < end { _ = pause.wait(timeout: .now() + .milliseconds(1)) }
}

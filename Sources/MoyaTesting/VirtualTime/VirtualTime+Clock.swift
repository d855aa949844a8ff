public import MoyaScheduling

extension VirtualTime: Clock {
    /// A moment of a virtual clock.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time from the clock's start.
        public let elapsed: Duration

        /// The moment so long after the clock's start.
        public init(elapsed: Duration) {
            self.elapsed = elapsed
        }

        /// The moment that comes so much later.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

        /// The time from this moment to another.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

        /// Whether the left one comes before the right one.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }

        /// The time from the clock's start.
        public var description: String { "\(elapsed)" }
    }

    /// This moment.
    public var now: Instant { Instant(elapsed: elapsed) }

    /// Sleeps are exact.
    public var minimumResolution: Duration { .zero }

    /// Waits until somebody has moved the clock there.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleeper = Sleeper()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleeper.begin(continuation) else { return }
                let delay = deadline.elapsed - elapsed
                sleeper.follow(enter({ sleeper.wake(.success(())) }, after: delay, at: nil, kind: .task))
            }
        } onCancel: {
            sleeper.wake(.failure(CancellationError()))
        }
    }
}

extension Scheduler where Self == VirtualTime {
    /// The time since this clock was made.
    public var now: Duration { self.elapsed }
}

/// A sleeping task: it wakes once, at its time or by its cancel.
private final class Sleeper: Sendable {
    private struct State: Sendable {
        var continuation: CheckedContinuation<Void, any Error>?
        var isAwake = false
        var timer: ScheduledWork?
    }

    private let state = Locked(State())

    /// Says whether it still has to sleep.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isAwake = state.withLock { state in
            if !state.isAwake { state.continuation = continuation }
            return state.isAwake
        }
        if isAwake { continuation.resume(throwing: CancellationError()) }
        return !isAwake
    }

    func follow(_ timer: ScheduledWork) {
        let isAwake = state.withLock { state in
            if !state.isAwake { state.timer = timer }
            return state.isAwake
        }
        if isAwake { timer.cancel() }
    }

    func wake(_ result: Result<Void, any Error>) {
        let left = state.withLock { state in
            defer { state = State(isAwake: true) }
            return state
        }
        left.timer?.cancel()
        left.continuation?.resume(with: result)
    }
}

public import MoyaScheduling

extension VirtualTime: Clock {
    /// A moment of a virtual clock.
    public struct Instant: InstantProtocol, CustomStringConvertible {
        /// The time since the start of the clock.
        public let elapsed: Duration

        /// Creates the moment at the given time after the start of the clock.
        public init(elapsed: Duration) {
            self.elapsed = elapsed
        }

        /// Returns the moment that is later by `duration`.
        public func advanced(by duration: Duration) -> Instant { Instant(elapsed: elapsed + duration) }

        /// Returns the time from this moment to another.
        public func duration(to other: Instant) -> Duration { other.elapsed - elapsed }

        /// Returns whether the left moment is before the right one.
        public static func < (left: Instant, right: Instant) -> Bool { left.elapsed < right.elapsed }

        /// The time since the start of the clock.
        public var description: String { "\(elapsed)" }
    }

    /// The current moment.
    public var now: Instant { Instant(elapsed: elapsed) }

    /// The minimum resolution, which is zero because the clock is exact.
    public var minimumResolution: Duration { .zero }

    /// Suspends until the clock has been moved to `deadline`.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let sleep = TaskSleep()
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                guard sleep.begin(continuation) else { return }
                let delay = deadline.elapsed - elapsed
                sleep.timer.store(enter({ sleep.end(.success(())) }, after: delay, at: nil, kind: .task))
            }
        } onCancel: {
            sleep.end(.failure(CancellationError()))
        }
    }
}

extension Scheduler where Self == VirtualTime {
    /// The time since the creation of the clock.
    public var now: Duration {
        self.state.withLock { state in
            state.wasRead = true
            return state.now
        }
    }
}

/// The continuation of a sleeping task, resumed once: at the deadline, or when the task is cancelled.
private final class TaskSleep: Sendable {
    private enum State {
        case created
        case sleeping(CheckedContinuation<Void, any Error>)
        case ended
    }

    let timer = SingleAssignmentCancellable()
    private let state = Locked(State.created)

    /// Starts the sleep; if the task is already cancelled, resumes the continuation and returns `false`.
    func begin(_ continuation: CheckedContinuation<Void, any Error>) -> Bool {
        let isSleeping = state.withLock { state in
            guard case .created = state else { return false }
            state = .sleeping(continuation)
            return true
        }
        if !isSleeping { continuation.resume(throwing: CancellationError()) }
        return isSleeping
    }

    func end(_ result: Result<Void, any Error>) {
        let former = state.withLock { state in
            defer { state = .ended }
            return state
        }
        timer.cancel()
        if case .sleeping(let continuation) = former { continuation.resume(with: result) }
    }
}

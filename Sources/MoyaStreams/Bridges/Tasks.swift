extension Observable {
    /// Creates a stream that runs an asynchronous function and sends its result.
    ///
    /// The stream sends one value and completes, or fails with the error that the function throws. Each subscription
    /// runs the function in a new task; cancelling the subscription cancels the task. If the function throws a
    /// `CancellationError` although the subscription was not cancelled, the stream fails with that error.
    ///
    /// ```swift
    /// let user = Observable(task: { try await store.user(id: 7) })
    /// ```
    /// - Parameters:
    ///   - executor: the executor of the task; `nil` means the virtual time that subscribes, or the global executor.
    ///   - function: the asynchronous function, called once for each subscription.
    public init(on executor: (any TaskExecutor)? = nil, task function: @escaping @Sendable () async throws -> Element) {
        self = .running(on: executor) { emitter in emitter.send(try await function()) }
    }

    /// Returns a stream of the values of an asynchronous sequence.
    ///
    /// Completes at the end of the sequence, and fails with the error that the sequence throws. Each subscription
    /// iterates over the sequence in a new task; cancelling the subscription cancels the task. The task requests the
    /// next value after the previous value was delivered.
    ///
    /// ```swift
    /// Observable.from(notifications).subscribeNext { print($0) }    // an AsyncStream, for example
    /// ```
    /// - Parameters:
    ///   - sequence: the source of the values.
    ///   - executor: the executor of the task; `nil` means the virtual time that subscribes, or the global executor.
    public static func from<S: AsyncSequence & Sendable>(
        _ sequence: S, on executor: (any TaskExecutor)? = nil
    ) -> Observable where S.Element == Element {
        .running(on: executor) { emitter in
            for try await element in sequence {
                guard emitter.send(element) else { return }
            }
        }
    }

    private static func running(
        on executor: (any TaskExecutor)?, _ body: @escaping @Sendable (Emitter<Element>) async throws -> Void
    ) -> Observable {
        .withToken { emitter in
            let task = Task(executorPreference: executor ?? CurrentVirtualClock.current) {
                do {
                    try await body(emitter)
                    emitter.complete()
                } catch { emitter.fail(error) }
            }
            return TaskCancellable(task: task)
        }
    }
}

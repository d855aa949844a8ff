extension Observable {
    /// The result of an asynchronous function, as a stream: one value, then completion, or the error that it throws.
    ///
    /// Each subscription runs the function in a task of its own; cancelling the subscription cancels the task, and nothing
    /// more is sent. A `CancellationError` that the function throws otherwise is a failure like any other.
    ///
    /// ```swift
    /// let user = Observable(task: { try await store.user(id: 7) })
    /// ```
    /// - Parameters:
    ///   - executor: where the task runs, such as a virtual one in tests; the default one if nil.
    ///   - function: what to run.
    public init(on executor: (any TaskExecutor)? = nil, task function: @escaping @Sendable () async throws -> Element) {
        self.init { emitter in
            let task = Task(executorPreference: executor) {
                do {
                    emitter.send(try await function())
                    emitter.complete()
                } catch { emitter.fail(error) }
            }
            emitter.onTermination { task.cancel() }
        }
    }

    /// The values of an asynchronous sequence, then completion, or the error that it throws.
    ///
    /// Each subscription iterates in a task of its own; cancelling the subscription cancels the task, and nothing more is
    /// sent. The sequence is asked for its next value when the one before was delivered.
    ///
    /// ```swift
    /// Observable.from(notifications).subscribeNext { print($0) }    // an AsyncStream, for example
    /// ```
    /// - Parameters:
    ///   - sequence: where the values come from.
    ///   - executor: where the task runs, such as a virtual one in tests; the default one if nil.
    public static func from<S: AsyncSequence & Sendable>(
        _ sequence: S, on executor: (any TaskExecutor)? = nil
    ) -> Observable where S.Element == Element {
        Observable { emitter in
            let task = Task(executorPreference: executor) {
                do {
                    for try await element in sequence {
                        guard emitter.send(element) else { return }
                    }
                    emitter.complete()
                } catch { emitter.fail(error) }
            }
            emitter.onTermination { task.cancel() }
        }
    }
}

extension Observable {
    /// Creates a stream of the result of an asynchronous function: one value, then completion, or the error that it
    /// throws.
    ///
    /// Each subscription runs the function in a task of its own; cancelling the subscription cancels the task. A
    /// `CancellationError` that the function throws for another reason fails the stream.
    ///
    /// ```swift
    /// let user = Observable(task: { try await store.user(id: 7) })
    /// ```
    /// - Parameters:
    ///   - executor: the executor of the task, such as a virtual one in tests; defaults to the global one.
    ///   - function: the function.
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

    /// Returns a stream of the values of an asynchronous sequence, then completion, or the error that it throws.
    ///
    /// Each subscription iterates in a task of its own; cancelling the subscription cancels the task. The
    /// next value is awaited after the previous one was delivered.
    ///
    /// ```swift
    /// Observable.from(notifications).subscribeNext { print($0) }    // an AsyncStream, for example
    /// ```
    /// - Parameters:
    ///   - sequence: the source of the values.
    ///   - executor: the executor of the task, such as a virtual one in tests; defaults to the global one.
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

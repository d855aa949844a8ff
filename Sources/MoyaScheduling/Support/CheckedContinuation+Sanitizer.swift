#if MOYA_SANITIZER
    /// A replacement for the continuation of the standard library that prevents false reports of the thread sanitizer.
    ///
    /// If a continuation is resumed before its task has suspended, the sanitizer reports a data race that does not
    /// exist. The report is prevented by a lock that the caller of `resume` and the resumed task both acquire. In the
    /// build for the sanitizer, this type and the two functions below shadow those of the standard library.
    @usableFromInline
    package struct CheckedContinuation<Value: Sendable, Failure: Error>: Sendable {
        fileprivate let base: _Concurrency.CheckedContinuation<Value, Failure>
        fileprivate let handOver: HandOver

        package func resume(returning value: Value) {
            handOver.synchronize()
            base.resume(returning: value)
        }

        package func resume(throwing error: Failure) {
            handOver.synchronize()
            base.resume(throwing: error)
        }

        package func resume(with result: Result<Value, Failure>) {
            handOver.synchronize()
            base.resume(with: result)
        }

        package func resume() where Value == Void { resume(returning: ()) }
    }

    private final class HandOver: Sendable {
        private let lock = Locked<Void>(())

        func synchronize() { lock.withLock { _ in } }
    }

    /// Suspends the task until the continuation is resumed.
    package func withCheckedContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        let handOver = HandOver()
        let value = await _Concurrency.withCheckedContinuation { base in
            body(CheckedContinuation(base: base, handOver: handOver))
        }
        handOver.synchronize()
        return value
    }

    /// Suspends the task until the continuation is resumed, and throws the error that it is resumed with.
    package func withCheckedThrowingContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, any Error>) -> Void
    ) async throws -> Value {
        let handOver = HandOver()
        defer { handOver.synchronize() }
        return try await _Concurrency.withCheckedThrowingContinuation { base in
            body(CheckedContinuation(base: base, handOver: handOver))
        }
    }
#endif

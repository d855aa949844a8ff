#if MOYA_SANITIZER
    /// A replacement for the continuation of the standard library that prevents false reports of the thread sanitizer.
    ///
    /// If a continuation is resumed before its task has suspended, the sanitizer reports a data race that does not
    /// exist. The report is prevented by a lock that the caller of `resume` holds during the call, and that the resumed
    /// task then acquires. In the build for the sanitizer, this type and the two functions below shadow those of the
    /// standard library.
    @usableFromInline
    package struct CheckedContinuation<Value: Sendable, Failure: Error>: Sendable {
        fileprivate let base: _Concurrency.CheckedContinuation<Value, Failure>
        fileprivate let resumeCall: ResumeCallLock

        package func resume(returning value: Value) {
            resumeCall.run { base.resume(returning: value) }
        }

        package func resume(throwing error: Failure) {
            resumeCall.run { base.resume(throwing: error) }
        }

        package func resume(with result: Result<Value, Failure>) {
            resumeCall.run { base.resume(with: result) }
        }

        package func resume() where Value == Void { resume(returning: ()) }
    }

    final class ResumeCallLock: Sendable {
        private let lock = Locked<Void>(())

        func run(_ resume: () -> Void) { lock.withLock { _ in resume() } }

        func waitForEnd() { lock.withLock { _ in } }
    }

    package func withCheckedContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        let resumeCall = ResumeCallLock()
        let value = await _Concurrency.withCheckedContinuation { base in
            body(CheckedContinuation(base: base, resumeCall: resumeCall))
        }
        resumeCall.waitForEnd()
        return value
    }

    package func withCheckedThrowingContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, any Error>) -> Void
    ) async throws -> Value {
        let resumeCall = ResumeCallLock()
        defer { resumeCall.waitForEnd() }
        return try await _Concurrency.withCheckedThrowingContinuation { base in
            body(CheckedContinuation(base: base, resumeCall: resumeCall))
        }
    }
#endif

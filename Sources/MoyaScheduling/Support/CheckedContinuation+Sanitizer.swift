#if MOYA_SANITIZER
    import Foundation

    // Shadows the standard library's continuation in sanitizer builds. If a continuation is resumed before its task
    // suspends, the sanitizer reports a data race that does not exist. A lock that `resume` holds, and that the
    // resumed task then acquires, prevents the report.
    @usableFromInline
    package struct CheckedContinuation<Value: Sendable, Failure: Error>: Sendable {
        fileprivate let base: _Concurrency.CheckedContinuation<Value, Failure>
        fileprivate let resumeCall: NSLock

        package func resume(with result: Result<Value, Failure>) {
            resumeCall.withLock { base.resume(with: result) }
        }

        package func resume(returning value: Value) { resume(with: .success(value)) }

        package func resume(throwing error: Failure) { resume(with: .failure(error)) }

        package func resume() where Value == Void { resume(returning: ()) }
    }

    package func withCheckedContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, Never>) -> Void
    ) async -> Value {
        let resumeCall = NSLock()
        let value = await _Concurrency.withCheckedContinuation { base in
            body(CheckedContinuation(base: base, resumeCall: resumeCall))
        }
        resumeCall.withLock {}
        return value
    }

    package func withCheckedThrowingContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (CheckedContinuation<Value, any Error>) -> Void
    ) async throws -> Value {
        let resumeCall = NSLock()
        defer { resumeCall.withLock {} }
        return try await _Concurrency.withCheckedThrowingContinuation { base in
            body(CheckedContinuation(base: base, resumeCall: resumeCall))
        }
    }
#endif

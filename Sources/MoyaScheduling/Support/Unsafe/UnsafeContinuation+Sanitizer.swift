#if MOYA_SANITIZER
    /// A replacement for the continuation of the standard library, as ``CheckedContinuation`` is one.
    @unsafe
    @usableFromInline
    package struct UnsafeContinuation<Value: Sendable, Failure: Error>: Sendable {
        fileprivate let base: _Concurrency.UnsafeContinuation<Value, Failure>
        fileprivate let resumeCall: ResumeCallLock

        @usableFromInline
        package func resume(returning value: Value) {
            // SAFETY: the caller resumes this continuation, and so the continuation of the standard library, once.
            unsafe resumeCall.run { unsafe base.resume(returning: value) }
        }
    }

    @unsafe
    @usableFromInline
    package func withUnsafeContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (UnsafeContinuation<Value, Never>) -> Void
    ) async -> Value {
        let resumeCall = ResumeCallLock()
        let value = await unsafe _Concurrency.withUnsafeContinuation { base in
            unsafe body(UnsafeContinuation(base: base, resumeCall: resumeCall))
        }
        resumeCall.waitForEnd()
        return value
    }
#endif

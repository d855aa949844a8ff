#if MOYA_SANITIZER
    /// Replaces the continuation of the standard library by a ``CheckedContinuation``.
    @unsafe
    @usableFromInline
    package struct UnsafeContinuation<Value: Sendable, Failure: Error>: Sendable {
        fileprivate let base: CheckedContinuation<Value, Failure>

        // SAFETY: a `CheckedContinuation` is safe; only the annotations are those of the standard library.
        @usableFromInline
        package func resume(returning value: Value) {
            unsafe base.resume(returning: value)
        }
    }

    @unsafe
    @usableFromInline
    package func withUnsafeContinuation<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation, _ body: (UnsafeContinuation<Value, Never>) -> Void
    ) async -> Value {
        await withCheckedContinuation(isolation: isolation) { base in
            unsafe body(UnsafeContinuation(base: base))
        }
    }
#endif

#if !MOYA_SANITIZER
    public import Synchronization

    // The body of `withLock` must not run user code, which could take the same lock and deadlock. It must neither call
    // a user's closures nor release a user's objects (their `deinit` may run), but return them to the caller, which
    // calls or releases them outside the lock.
    //
    // Uses a `Synchronization.Mutex`, or in sanitizer builds, which don't support it, an `NSLock`
    // (`Unsafe/Locked+Sanitizer.swift`).
    @usableFromInline
    package struct Locked<Value: Sendable>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable
        package init(_ value: consuming Value) {
            mutex = Mutex(value)
        }

        @inlinable
        package borrowing func withLock<R: ~Copyable, E: Error>(
            _ body: (inout Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            try mutex.withLock { value throws(E) in try body(&value) }
        }

        /// Returns whether `body` was called: `false` if any thread holds the lock, including this one.
        @inlinable
        @inline(__always)
        package borrowing func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
            mutex.withLockIfAvailable { value in body(&value) } != nil
        }
    }
#endif

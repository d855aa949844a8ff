#if MOYA_SANITIZER
    // `Unsafe/Locked+Sanitizer.swift` defines `Locked` for the build with the thread sanitizer.
#else
    public import Synchronization

    /// A value that is protected by a lock.
    ///
    /// The body of `withLock` must not run code of the user, because the user's code could try to acquire the same
    /// lock, which would be a deadlock. The body therefore neither calls closures of the user nor releases objects of
    /// the user: a release can run a deinitializer. Instead, the body returns the closures and objects, and the caller
    /// of `withLock` calls or releases them outside the lock.
    ///
    /// The lock is a `Synchronization.Mutex`. The thread sanitizer does not support this mutex, so the build for the
    /// sanitizer uses a pthread mutex.
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

        /// Runs `body` with the value if no thread holds the lock.
        ///
        /// - Returns: whether `body` was called; `false` also if the calling thread itself holds the lock.
        @inlinable
        @inline(__always)
        package borrowing func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
            mutex.withLockIfAvailable { value in body(&value) } != nil
        }
    }
#endif

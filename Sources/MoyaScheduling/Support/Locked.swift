#if MOYA_SANITIZER
    // `Unsafe/Locked+Sanitizer.swift` defines `Locked` for the build with the thread sanitizer.
#else
    public import Synchronization

    /// A value that is protected by a lock.
    ///
    /// Code under the lock must not run code of the user, because that code could wait for the same lock. Thus, code
    /// under the lock does not call closures of the user. It does not release objects of the user either, because a
    /// release can run a deinitialiser. It returns such closures and objects to the caller of `withLock`, which calls
    /// or releases them outside the lock.
    ///
    /// The lock is a `Synchronization.Mutex`. The thread sanitizer does not support that mutex, so the build for it
    /// uses a pthread mutex.
    @usableFromInline
    package struct Locked<Value: Sendable>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable
        package init(_ value: consuming Value) {
            mutex = Mutex(value)
        }

        /// Runs `body` with the value under the lock.
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

#if MOYA_SANITIZER
    // See Unsafe/Locked+Sanitizer.swift.
#else
    public import Synchronization

    /// A value that is protected by a lock.
    ///
    /// Code that runs under the lock must neither call foreign code nor release the last reference to a foreign object:
    /// it moves the closure or the object out, and the caller calls or releases it after the lock is released.
    ///
    /// The lock is `Synchronization.Mutex`, except in the build for the thread sanitizer, which cannot see that mutex:
    /// there it is a pthread mutex.
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

        /// Runs `body` with the value if no thread holds the lock, the calling one included; returns whether it did.
        @inlinable
        @inline(__always)
        package borrowing func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
            mutex.withLockIfAvailable { value in body(&value) } != nil
        }
    }
#endif

#if MOYA_SANITIZER
    // See Unsafe/SanitizerLock.swift.
#else
    public import Synchronization

    /// A value and the lock that guards it: the only lock of this package.
    ///
    /// Nothing that runs under the lock may call code that this package does not own, nor release the last reference to
    /// an object that it does not own: take the value out under the lock, and drop or call it afterwards.
    ///
    /// It is `Synchronization.Mutex`, except in the thread sanitizer's build, where it is a pthread mutex, because the
    /// sanitizer cannot see the other.
    @usableFromInline
    package struct Guarded<Value: Sendable>: ~Copyable, Sendable {
        @usableFromInline let mutex: Mutex<Value>

        @inlinable
        package init(_ value: consuming Value) {
            mutex = Mutex(value)
        }

        /// Runs `body` with the value, after everybody who holds the lock has left.
        @inlinable
        package borrowing func withLock<R: ~Copyable, E: Error>(
            _ body: (inout Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            try mutex.withLock { value throws(E) in try body(&value) }
        }

        /// Runs `body` with the value if nobody holds the lock, the caller included, and says whether it did.
        @inlinable
        @inline(__always)
        package borrowing func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
            mutex.withLockIfAvailable { value in body(&value) } != nil
        }
    }
#endif

#if MOYA_SANITIZER
    import Foundation

    /// A replacement for the type in `Locked.swift`, with a pthread mutex, which the thread sanitizer supports.
    @usableFromInline
    package struct Locked<Value: Sendable>: ~Copyable, Sendable {
        @usableFromInline let storage: Storage

        @usableFromInline
        package init(_ value: consuming Value) {
            storage = Storage(value)
        }

        @usableFromInline
        package borrowing func withLock<R: ~Copyable, E: Error>(
            _ body: (inout Value) throws(E) -> sending R
        ) throws(E) -> sending R {
            // SAFETY: the mutex is initialized and destroyed with its storage, which outlives this call.
            unsafe pthread_mutex_lock(storage.mutex)
            defer { unsafe pthread_mutex_unlock(storage.mutex) }
            return try body(&storage.value)
        }

        @usableFromInline
        package borrowing func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
            // SAFETY: the mutex is initialized and destroyed with its storage, which outlives this call.
            guard unsafe pthread_mutex_trylock(storage.mutex) == 0 else { return false }
            defer { unsafe pthread_mutex_unlock(storage.mutex) }
            body(&storage.value)
            return true
        }

        // SAFETY: `value` is accessed between lock and unlock only, which the sanitizer itself verifies in this build.
        @safe
        @usableFromInline
        final class Storage: @unchecked Sendable {
            let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
            var value: Value

            init(_ value: Value) {
                self.value = value
                unsafe pthread_mutex_init(mutex, nil)
            }

            deinit {
                unsafe pthread_mutex_destroy(mutex)
                unsafe mutex.deallocate()
            }
        }
    }
#endif

#if MOYA_SANITIZER
    import Foundation

    /// A replacement for the type in `Locked.swift`, with a lock that the thread sanitizer supports.
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
            storage.lock.lock()
            defer { storage.lock.unlock() }
            return try body(&storage.value)
        }

        @usableFromInline
        package borrowing func withLockIfFree(_ body: (inout Value) -> Void) -> Bool {
            guard storage.lock.try() else { return false }
            defer { storage.lock.unlock() }
            body(&storage.value)
            return true
        }

        // SAFETY: `value` is accessed between lock and unlock only, which the sanitizer itself verifies in this build.
        @safe
        @usableFromInline
        final class Storage: @unchecked Sendable {
            let lock = NSLock()
            var value: Value

            init(_ value: Value) {
                self.value = value
            }
        }
    }
#endif

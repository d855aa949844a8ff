import MoyaScheduling

/// A list of entries, which any thread can append to.
package final class Log: Sendable {
    private let lines = Locked<[String]>([])

    package init() {}

    package var entries: [String] { lines.withLock { $0 } }

    package func add(_ entry: String) {
        lines.withLock { $0.append(entry) }
    }
}

/// A value that is protected by a lock, for closures that share it.
package final class Box<Value: Sendable>: Sendable {
    private let storage: Locked<Value>

    package init(_ value: Value) {
        storage = Locked(value)
    }

    package var value: Value {
        get { storage.withLock { $0 } }
        set { change { $0 = newValue } }
    }

    package func change(_ body: (inout Value) -> Void) {
        storage.withLock { body(&$0) }
    }
}

/// An error for tests.
package struct Failure: Error, Equatable {
    package var id: Int

    package init(id: Int = 0) {
        self.id = id
    }
}

/// The number of repetitions in tests of the stack, of lost values and of leaks; smaller with the thread sanitizer,
/// which is slow.
#if MOYA_SANITIZER
    package let manyTimes = 10_000
#else
    package let manyTimes = 50_000
#endif

import MoyaScheduling

/// Entries in order, added from any thread.
package final class Log: Sendable {
    private let lines = Locked<[String]>([])

    package init() {}

    package var entries: [String] { lines.withLock { $0 } }

    package func add(_ entry: String) {
        lines.withLock { $0.append(entry) }
    }
}

/// A value that several closures share.
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

/// The number of repetitions that must not grow the stack, lose or leak anything: 100,000, and a tenth of that under
/// the thread sanitizer, which is slow.
#if MOYA_SANITIZER
    package let manyTimes = 10_000
#else
    package let manyTimes = 100_000
#endif

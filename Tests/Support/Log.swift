import Moya

/// What happened, in order; from any thread.
public final class Log: Sendable {
    private let lines = Guarded<[String]>([])

    public init() {}

    public var entries: [String] { lines.withLock { $0 } }

    public func add(_ entry: String) {
        lines.withLock { $0.append(entry) }
    }
}

/// A value that several closures share.
public final class Box<Value: Sendable>: Sendable {
    private let storage: Guarded<Value>

    public init(_ value: Value) {
        storage = Guarded(value)
    }

    public var value: Value {
        get { storage.withLock { $0 } }
        set { change { $0 = newValue } }
    }

    public func change(_ body: (inout Value) -> Void) {
        storage.withLock { body(&$0) }
    }
}

/// An error like any other.
public struct Failure: Error, Equatable {
    public var id: Int

    public init(id: Int = 0) {
        self.id = id
    }
}

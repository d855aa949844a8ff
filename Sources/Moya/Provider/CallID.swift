import Synchronization

/// Numbers for the calls of this process.
enum CallID {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

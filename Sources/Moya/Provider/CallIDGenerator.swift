import Synchronization

/// Generates the IDs of calls, which are unique in this process.
enum CallIDGenerator {
    private static let last = Atomic<UInt64>(0)

    static func next() -> UInt64 { last.wrappingAdd(1, ordering: .relaxed).newValue }
}

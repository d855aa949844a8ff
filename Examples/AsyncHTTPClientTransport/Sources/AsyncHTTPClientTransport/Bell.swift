/// Wakes the task that waits; a ring that nobody waits for is remembered.
struct Bell: Sendable {
    private let rings: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (rings, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func ring() {
        continuation.yield()
    }

    /// From now on waiting is in vain.
    func close() {
        continuation.finish()
    }

    /// Waits for a ring.
    ///
    /// - Throws: `CancellationError` when it is closed, or the task cancelled.
    func wait() async throws {
        for await _ in rings { return }
        throw CancellationError()
    }
}

/// Wakes up a waiting task; a signal without a waiting task is stored.
struct WakeUpEvent: Sendable {
    private let signals: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation

    init() {
        (signals, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func signal() {
        continuation.yield()
    }

    /// Makes waiting fail from now on.
    func close() {
        continuation.finish()
    }

    /// Waits for a signal.
    ///
    /// - Throws: `CancellationError` if the event is closed or the task is cancelled.
    func wait() async throws {
        for await _ in signals { return }
        throw CancellationError()
    }
}

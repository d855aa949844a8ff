public import MoyaScheduling

/// A buffer of the values that a stream has sent and an asynchronous iterator has not consumed.
///
/// From an unbounded buffer, the iterator removes all values at once, which is faster. From a limited buffer, it
/// removes one value at a time, so that the limit applies to all values that were not consumed.
@usableFromInline
final class ValueBuffer<Element: Sendable>: Sendable {
    @usableFromInline
    enum TakeResult: Sendable {
        case empty
        case batch
        case end((any Error)?)
    }

    @usableFromInline
    struct State: Sendable {
        /// The values, if the buffer is unbounded.
        @usableFromInline var elements: [Element] = []
        /// The values, if the buffer is limited.
        @usableFromInline var queue = Queue<Element>()
        @usableFromInline var end: Result<Void, any Error>?
        @usableFromInline var consumer: WaitingConsumer?

        @inlinable
        init() {}
    }

    @usableFromInline let isUnbounded: Bool
    @usableFromInline let policy: BufferingPolicy
    @usableFromInline let state = Locked(State())

    @inlinable
    init(_ policy: BufferingPolicy) {
        self.policy = policy
        isUnbounded = policy == .unbounded
    }

    @inlinable
    func append(_ element: Element) {
        guard isUnbounded else { return appendWithinLimit(element) }
        let consumer = state.withLock { state -> WaitingConsumer? in
            guard state.end == nil else { return nil }
            state.elements.append(element)
            return state.consumer.take()
        }
        consumer?.resume()
    }

    @usableFromInline
    func appendWithinLimit(_ element: Element) {
        let (consumer, dropped) = state.withLock { state -> (WaitingConsumer?, Element?) in
            guard state.end == nil else { return (nil, nil) }
            if case .oldest(let limit) = policy, state.queue.count >= limit { return (nil, nil) }
            state.queue.append(element)
            var dropped: Element?
            if case .newest(let limit) = policy, state.queue.count > max(limit, 0) { dropped = state.queue.popFirst() }
            return (state.consumer.take(), dropped)
        }
        withExtendedLifetime(dropped) {}
        consumer?.resume()
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        let consumer = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return state.consumer.take()
        }
        consumer?.resume()
    }

    /// Drops all buffered values, and ignores values that are sent later.
    @usableFromInline
    func close() {
        let dropped = state.withLock { (exchange(&$0.elements, with: []), exchange(&$0.queue, with: Queue())) }
        withExtendedLifetime(dropped) {}
        end(nil)
    }

    /// Moves values from the buffer into `batch`, which must be empty.
    ///
    /// Moves one value if the buffer is limited, and all values if it is unbounded. The values are in reverse order,
    /// so that the iterator can remove them with `popLast()`. The buffer reuses the memory of a small `batch`.
    @inlinable
    func take(into batch: inout [Element]) -> TakeResult {
        if batch.capacity > 1024 { batch = [] }
        let content = state.withLock { state -> TakeResult in
            if !state.elements.isEmpty {
                swap(&batch, &state.elements)
                return .batch
            }
            if let element = state.queue.popFirst() {
                batch.append(element)
                return .batch
            }
            guard let end = state.end else { return .empty }
            // The next call returns the end without the error, so that the iterator throws the error only once.
            state.end = .success(())
            return .end(end.failure)
        }
        batch.reverse()
        return content
    }

    /// Resumes the continuation when the buffer has a value or the stream has ended.
    @usableFromInline
    func resumeWhenFilled(_ continuation: CheckedContinuation<Void, Never>) {
        let isFilled = state.withLock { state in
            guard state.elements.isEmpty, state.queue.isEmpty, state.end == nil else { return true }
            state.consumer = WaitingConsumer(continuation)
            return false
        }
        if isFilled { continuation.resume() }
    }
}

/// The continuation of a waiting iterator, wrapped in a class because a continuation is slow to copy.
@usableFromInline
final class WaitingConsumer: Sendable {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = continuation
    }

    @usableFromInline
    func resume() {
        continuation.resume()
    }
}

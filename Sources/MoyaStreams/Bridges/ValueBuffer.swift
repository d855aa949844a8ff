/// The values that an asynchronous iterator has not taken yet: all at once if unbounded, which is faster, or one at a
/// time if bounded, so that the limit applies to all values not consumed.
@usableFromInline
final class ValueBuffer<Element: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        /// The values of an unbounded buffer.
        @usableFromInline var values: [Element] = []
        /// The values of a bounded buffer.
        @usableFromInline var queue = Queue<Element>()
        @usableFromInline var end: Result<Void, any Error>?
        @usableFromInline var consumer: FirstResult<Void>?

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
        let consumer = state.withLock { state -> FirstResult<Void>? in
            guard state.end == nil else { return nil }
            state.values.append(element)
            return state.consumer.take()
        }
        consumer?.set(())
    }

    @usableFromInline
    func appendWithinLimit(_ element: Element) {
        let (consumer, dropped) = state.withLock { state -> (FirstResult<Void>?, Element?) in
            guard state.end == nil else { return (nil, nil) }
            if case .oldest(let limit) = policy, state.queue.count >= limit { return (nil, nil) }
            state.queue.append(element)
            var dropped: Element?
            if case .newest(let limit) = policy, state.queue.count > max(limit, 0) { dropped = state.queue.popFirst() }
            return (state.consumer.take(), dropped)
        }
        withExtendedLifetime(dropped) {}
        consumer?.set(())
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        let consumer = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return state.consumer.take()
        }
        consumer?.set(())
    }

    @usableFromInline
    func close() {
        let dropped = state.withLock { state in
            (exchange(&state.values, with: []), exchange(&state.queue, with: Queue()))
        }
        withExtendedLifetime(dropped) {}
        end(nil)
    }

    /// Moves one value (all, if unbounded) to `batch`, which must be empty, in reverse order for `popLast()`.
    ///
    /// Returns the end of the stream if no value can follow; only the first `take` after the end returns the error.
    @inlinable
    func take(into batch: inout [Element]) -> Result<Void, any Error>? {
        if batch.capacity > 1024 { batch = [] }
        let end = state.withLock { state -> Result<Void, any Error>? in
            if !state.values.isEmpty {
                swap(&batch, &state.values)
            } else if let element = state.queue.popFirst() {
                batch.append(element)
            } else if state.end != nil {
                return exchange(&state.end, with: .success(()))
            }
            return nil
        }
        batch.reverse()
        return end
    }

    @usableFromInline
    func waitUntilFilled(isolation actor: isolated (any Actor)?) async {
        let consumer = FirstResult<Void>()
        let isFilled = state.withLock { state in
            guard state.values.isEmpty, state.queue.isEmpty, state.end == nil else { return true }
            state.consumer = consumer
            return false
        }
        if !isFilled { await consumer.value(isolation: actor) }
    }
}

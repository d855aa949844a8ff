/// The limit of the buffer between a stream and an asynchronous iterator that is slower than the stream.
public enum BufferingPolicy: Sendable, Hashable {
    /// Buffers all values.
    case unbounded
    /// Buffers up to the given number of values, and drops new values while the buffer is full.
    ///
    /// A number below 1 drops all values.
    case oldest(Int)
    /// Buffers up to the given number of values; a new value replaces the oldest value of a full buffer.
    ///
    /// A number below 1 drops all values.
    case newest(Int)
}

extension Subscribable {
    /// The values as an asynchronous sequence, with an unbounded buffer.
    ///
    /// ```swift
    /// for try await progress in provider.requestWithProgress(.image).values { show(progress.progress) }
    /// ```
    /// Creating an iterator subscribes to the stream, so no value is lost before the first call of `next()`. A source
    /// that sends its values synchronously sends all of them before the iterator is returned. To receive each value
    /// as it is sent, apply `subscribe(on:)` to the source. The sequence ends when the stream completes, or can send
    /// nothing any more because its source has released it. It throws the error if the stream fails. Leaving the loop
    /// cancels the subscription. Cancelling the task also cancels it immediately. After that, the loop may still
    /// receive up to seven values that were already buffered.
    @inlinable public var values: some AsyncSequence<Element, any Error> & Sendable {
        ValueSequence(observable, .unbounded)
    }

    /// Returns the values as an asynchronous sequence like ``values``, but with the given limit of the buffer.
    ///
    /// - Parameter policy: the limit of the buffer.
    @inlinable
    public func values(buffering policy: BufferingPolicy) -> some AsyncSequence<Element, any Error> & Sendable {
        ValueSequence(observable, policy)
    }
}

@usableFromInline
struct ValueSequence<Element: Sendable>: AsyncSequence, Sendable {
    @usableFromInline typealias Failure = any Error

    @usableFromInline let source: Observable<Element>
    @usableFromInline let policy: BufferingPolicy

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        self.source = source
        self.policy = policy
    }

    @inlinable
    func makeAsyncIterator() -> Iterator {
        Iterator(IteratorSubscription(source, policy))
    }

    @usableFromInline
    struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let subscription: IteratorSubscription<Element>
        /// The values that `take(into:)` has removed from the buffer, in reverse order; returning them needs no lock.
        @usableFromInline var batch: [Element] = []
        @usableFromInline var batchSize = 0

        @inlinable
        init(_ subscription: IteratorSubscription<Element>) {
            self.subscription = subscription
        }

        @inlinable
        @inline(__always)
        mutating func next() async throws -> Element? {
            try await next(isolation: nil)
        }

        // `nil` at the end or if the task is cancelled. Inlined, because an async call or a check for cancellation
        // doubles the time per value; calls `nextUnlessCancelled` only for every eighth value and for an empty batch.
        @inlinable
        @inline(__always)
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if batch.count & 7 != 0, let element = batch.popLast() { return element }
            return try await nextUnlessCancelled(isolation: actor)
        }

        @inlinable
        @inline(never)
        mutating func nextUnlessCancelled(isolation actor: isolated (any Actor)?) async throws -> Element? {
            // Lets the producer fill a larger batch; useless if it is slow (one value) or if the last batch was large.
            if batch.isEmpty, 2..<256 ~= batchSize { await Task.yield() }
            while true {
                if Task.isCancelled {
                    subscription.cancel()
                    batch = []
                    return nil
                }
                if let element = batch.popLast() { return element }
                let end = subscription.buffer.take(into: &batch)
                batchSize = batch.count
                if let end {
                    try end.get()
                    return nil
                }
                if batch.isEmpty { await subscription.wait(isolation: actor) }
            }
        }
    }
}

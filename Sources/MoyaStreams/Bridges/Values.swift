/// The limit of a buffer of values that are sent faster than they are consumed.
public enum BufferingPolicy: Sendable, Hashable {
    /// Buffers all values.
    case unbounded
    /// Buffers at most the given number of values and drops later ones; with a limit below 1, drops all values.
    case oldest(Int)
    /// Buffers at most the given number of values and drops the oldest; with a limit below 1, drops all values.
    case newest(Int)
}

extension Subscribable {
    /// The values as an asynchronous sequence, with an unbounded buffer.
    ///
    /// ```swift
    /// for try await progress in provider.requestWithProgress(.image).values { show(progress.progress) }
    /// ```
    /// The stream is subscribed when the iteration begins, before the first value is awaited, so that no value is lost.
    /// A source that sends all its values while it is subscribed sends them before the iterator is returned: use
    /// `subscribe(on:)` for such a source if it has many values. The sequence ends when the stream completes, and
    /// throws the error of a stream that fails. Leaving the loop cancels the subscription. Cancelling the task cancels
    /// the subscription immediately; the loop then receives at most seven more values, which were removed from the
    /// buffer before.
    @inlinable public var values: some AsyncSequence<Element, any Error> & Sendable {
        ValueSequence(observable, .unbounded)
    }

    /// The values as an asynchronous sequence; see ``values``.
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
        Iterator(ValueSubscription(source, policy))
    }

    @usableFromInline
    struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let subscription: ValueSubscription<Element>
        /// Values that were removed from the buffer together, in reverse order; they are returned without a lock.
        @usableFromInline var batch: [Element] = []
        /// The number of values in `batch` when it was filled.
        @usableFromInline var batchSize = 0

        @inlinable
        init(_ subscription: ValueSubscription<Element>) {
            self.subscription = subscription
        }

        @inlinable
        @inline(__always)
        mutating func next() async throws -> Element? {
            try await next(isolation: nil)
        }

        /// Returns the next value; `nil` at the end of the stream or if the task is cancelled.
        ///
        /// Inlined, because a call that may suspend takes as long as all other work for a value. A check for a
        /// cancelled task also takes that long. Both are therefore done only for every eighth value of a batch.
        @inlinable
        @inline(__always)
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if batch.count & 7 != 0, let element = batch.popLast() { return element }
            return try await nextUnlessCancelled(isolation: actor)
        }

        @inlinable
        @inline(never)
        mutating func nextUnlessCancelled(isolation actor: isolated (any Actor)?) async throws -> Element? {
            // A batch of several values shows that the producer is fast: yielding lets it fill a larger batch.
            if batch.isEmpty, 2..<256 ~= batchSize { await Task.yield() }
            while true {
                if Task.isCancelled {
                    subscription.cancel()
                    batch = []
                    return nil
                }
                if let element = batch.popLast() { return element }
                let content = subscription.buffer.take(into: &batch)
                batchSize = batch.count
                switch content {
                case .batch: break
                case .end(let error?): throw error
                case .end(nil): return nil
                case .empty: await subscription.wait(isolation: actor)
                }
            }
        }
    }
}

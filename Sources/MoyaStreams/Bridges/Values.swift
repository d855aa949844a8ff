/// Limits the number of values that are buffered when they are sent faster than they are consumed.
public enum BufferingPolicy: Sendable, Hashable {
    /// Buffers all values.
    case unbounded
    /// Buffers at most the given number of values and drops later ones; a limit under one drops all.
    case oldest(Int)
    /// Buffers at most the given number of values and drops the oldest; a limit under one drops all.
    case newest(Int)
}

extension Subscribable {
    /// The values as an asynchronous sequence, with an unbounded buffer.
    ///
    /// ```swift
    /// for try await progress in provider.requestWithProgress(.image).values { show(progress.progress) }
    /// ```
    /// Subscribes when the iteration begins, so that no value is lost before the first is awaited. A source that sends
    /// all its values while it is subscribed sends them before the iterator is returned: use `subscribe(on:)` for a
    /// long one. The sequence ends or throws as the stream does. Leaving the loop cancels the subscription. Cancelling
    /// the task cancels it, too, immediately: the loop then ends after at most seven values that were removed from the
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
        /// The original size of `batch`.
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

        /// Returns the next value; inlined, because a call that may suspend costs as much as the rest.
        ///
        /// So does the test for a cancelled task: both are made for every eighth value of a batch only.
        @inlinable
        @inline(__always)
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if batch.count & 7 != 0, let element = batch.popLast() { return element }
            return try await nextUnlessCancelled(isolation: actor)
        }

        @inlinable
        @inline(never)
        mutating func nextUnlessCancelled(isolation actor: isolated (any Actor)?) async throws -> Element? {
            // The producer is fast, but the last batch was small: a yield lets it fill the next one.
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

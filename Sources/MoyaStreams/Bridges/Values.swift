public import MoyaScheduling
public import Synchronization

/// What becomes of values that come faster than they are taken.
public enum BufferingPolicy: Sendable, Hashable {
    /// All wait.
    case unbounded
    /// So many wait; when one more comes, it is dropped; all are, if that is under one.
    case oldest(Int)
    /// So many wait; when one more comes, the oldest is dropped; all are, if that is under one.
    case newest(Int)
}

extension Subscribable {
    /// The values as an asynchronous sequence; those that come faster than they are taken wait, without limit.
    ///
    /// ```swift
    /// for try await progress in provider.requestWithProgress(.image).values { show(progress.progress) }
    /// ```
    /// Subscribes when the iteration begins, so that no value is lost before the first is awaited; what sends all its values
    /// while it is being subscribed has sent them then: give it `subscribe(on:)` when it is long. Ends or throws as the
    /// stream does. Leaving the loop cancels the subscription, and so does cancelling the task, at once: the loop ends then,
    /// after at most seven values that it had taken over already.
    @inlinable public var values: some AsyncSequence<Element, any Error> & Sendable {
        ValueSequence(observable, .unbounded)
    }

    /// The values as an asynchronous sequence; see ``values``.
    ///
    /// - Parameter policy: what becomes of values that come faster than they are taken.
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
        Iterator(intake: ValueSubscription(source, policy))
    }

    @usableFromInline
    struct Iterator: AsyncIteratorProtocol {
        @usableFromInline let intake: ValueSubscription<Element>
        /// What was taken over, to be given without a lock; the next one is the last.
        @usableFromInline var batch: [Element] = []
        /// How many there were.
        @usableFromInline var batchSize = 0

        @inlinable
        init(intake: ValueSubscription<Element>) {
            self.intake = intake
        }

        @inlinable
        @inline(__always)
        mutating func next() async throws -> Element? {
            try await next(isolation: nil)
        }

        /// Inlined: a call that may suspend costs as much as all the rest, and so does asking whether the task is cancelled,
        /// so that both are done for every eighth of those taken over.
        @inlinable
        @inline(__always)
        mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if batch.count & 7 != 0, let element = batch.popLast() { return element }
            return try await nextUnlessCancelled(isolation: actor)
        }

        @inlinable
        @inline(never)
        mutating func nextUnlessCancelled(isolation actor: isolated (any Actor)?) async throws -> Element? {
            if batch.isEmpty { intake.letGather(after: batchSize) }
            while true {
                if Task.isCancelled {
                    intake.cancel()
                    batch = []
                    return nil
                }
                if let element = batch.popLast() { return element }
                let content = intake.take(into: &batch)
                batchSize = batch.count
                switch content {
                case .batch: break
                case .end(let error?): throw error
                case .end(nil): return nil
                case .nothing: await intake.wait(isolation: actor)
                }
            }
        }
    }
}

/// Where the producer puts values and the consumer takes them, all that are there at a time.
///
/// It is kept by the iterator, and ends the subscription with it.
@usableFromInline
final class ValueSubscription<Element: Sendable>: Sendable {
    @usableFromInline let inbox: ValueBuffer<Element>
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        let inbox = ValueBuffer<Element>(policy)
        self.inbox = inbox
        let lifetime = Lifetime { inbox.end($0) }
        self.lifetime = lifetime
        // While it is being subscribed, no cancellation handler can stand yet.
        let beginning = SubscribePhase()
        source.run(
            Observer(lifetime) { element in
                inbox.put(element)
                if beginning.isDue(), Task.isCancelled { lifetime.cancel() }
            })
        beginning.end()
    }

    deinit { lifetime.cancel() }

    @usableFromInline
    func cancel() {
        lifetime.cancel()
        inbox.close()
    }

    /// Spends a microsecond where the last batch says that values come fast, but was small.
    ///
    /// To take few at a time is to be in the producer's way, and to sleep in between is to be woken by it. It is not slept:
    /// that takes longer. Where values come one by one nothing is spent.
    @usableFromInline
    func letGather(after batchSize: Int) {
        guard 2..<256 ~= batchSize else { return }
        let end = ContinuousClock.now + .microseconds(1)
        while ContinuousClock.now < end {}
    }

    @inlinable
    func take(into batch: inout [Element]) -> ValueBuffer<Element>.Content { inbox.take(into: &batch) }

    @usableFromInline
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { inbox.wait($0) }
        } onCancel: {
            cancel()
        }
    }
}

/// Every eighth time, as long as it is the beginning; for one thread at a time.
@usableFromInline
final class SubscribePhase: Sendable {
    @usableFromInline let isOver = Atomic(false)
    @usableFromInline let count = Atomic(0)

    @inlinable
    init() {}

    @inlinable
    func isDue() -> Bool {
        if isOver.load(ordering: .relaxed) { return false }
        let number = count.load(ordering: .relaxed) &+ 1
        count.store(number, ordering: .relaxed)
        return number & 7 == 0
    }

    @inlinable
    func end() {
        isOver.store(true, ordering: .relaxed)
    }
}

@usableFromInline
final class ValueBuffer<Element: Sendable>: Sendable {
    @usableFromInline
    enum Content: Sendable {
        case nothing
        case batch
        case end((any Error)?)
    }

    @usableFromInline
    struct State: Sendable {
        /// Without a limit: all that came since the last were taken.
        @usableFromInline var elements: [Element] = []
        /// Within a limit: those that wait are taken one by one, so that they count.
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
    func put(_ element: Element) {
        guard isUnbounded else { return putWithinLimit(element) }
        let consumer = state.withLock { state -> WaitingConsumer? in
            guard state.end == nil else { return nil }
            state.elements.append(element)
            return state.consumer.take()
        }
        consumer?.wake()
    }

    @usableFromInline
    func putWithinLimit(_ element: Element) {
        let (consumer, dropped) = state.withLock { state -> (WaitingConsumer?, Element?) in
            guard state.end == nil else { return (nil, nil) }
            if case .oldest(let limit) = policy, state.queue.count >= limit { return (nil, nil) }
            state.queue.append(element)
            var dropped: Element?
            if case .newest(let limit) = policy, state.queue.count > max(limit, 0) { dropped = state.queue.popFirst() }
            return (state.consumer.take(), dropped)
        }
        withExtendedLifetime(dropped) {}
        consumer?.wake()
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        let consumer = state.withLock { state in
            if state.end == nil { state.end = error.map { .failure($0) } ?? .success(()) }
            return state.consumer.take()
        }
        consumer?.wake()
    }

    /// Drops what was not taken.
    @usableFromInline
    func close() {
        let dropped = state.withLock { (exchange(&$0.elements, with: []), exchange(&$0.queue, with: Queue())) }
        withExtendedLifetime(dropped) {}
        end(nil)
    }

    /// Puts all that is there into `batch`, which is empty, the last of it first.
    ///
    /// The memory of `batch` serves what comes next, unless a burst made it large.
    @inlinable
    func take(into batch: inout [Element]) -> Content {
        if batch.capacity > 1024 { batch = [] }
        let content = state.withLock { state -> Content in
            if !state.elements.isEmpty {
                swap(&batch, &state.elements)
                return .batch
            }
            if let element = state.queue.popFirst() {
                batch.append(element)
                return .batch
            }
            guard let end = state.end else { return .nothing }
            // The error is thrown once.
            state.end = .success(())
            return .end(end.failure)
        }
        batch.reverse()
        return content
    }

    /// Resumes when there is something to take.
    @usableFromInline
    func wait(_ continuation: CheckedContinuation<Void, Never>) {
        let isThere = state.withLock { state in
            guard state.elements.isEmpty, state.queue.isEmpty, state.end == nil else { return true }
            state.consumer = WaitingConsumer(continuation)
            return false
        }
        if isThere { continuation.resume() }
    }
}

/// A consumer that waits: one reference, because a continuation is slow to copy.
@usableFromInline
final class WaitingConsumer: Sendable {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) {
        self.continuation = continuation
    }

    @usableFromInline
    func wake() {
        continuation.resume()
    }
}

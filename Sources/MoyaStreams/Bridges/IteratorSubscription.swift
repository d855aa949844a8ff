public import Synchronization

/// The subscription of an asynchronous iterator to a stream.
///
/// The values of the stream are appended to `buffer`. Releasing this object cancels the subscription.
@usableFromInline
final class IteratorSubscription<Element: Sendable>: Sendable {
    @usableFromInline let buffer: ValueBuffer<Element>
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        let buffer = ValueBuffer<Element>(policy)
        self.buffer = buffer
        let lifetime = Lifetime { buffer.end($0) }
        self.lifetime = lifetime
        // A source may send all its values before `source.run` returns. Until then, no cancellation handler is
        // installed, so the observer checks whether the task was cancelled.
        let subscribePhase = CancellationCheckInterval()
        source.run(
            Observer(lifetime) { element in
                buffer.append(element)
                if subscribePhase.shouldCheck(), Task.isCancelled { lifetime.cancel() }
            })
        subscribePhase.end()
    }

    deinit { lifetime.cancel() }

    @usableFromInline
    func cancel() {
        lifetime.cancel()
        buffer.close()
    }

    /// Suspends until the buffer has a value, the stream has ended, or the task was cancelled.
    @usableFromInline
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { buffer.resumeWhenFilled($0) }
        } onCancel: {
            cancel()
        }
    }
}

/// Decides after which values the observer of a stream checks whether the task was cancelled.
///
/// A check is slow, so `shouldCheck()` returns true for every eighth value only. After `end()`, it always returns
/// false. Two threads must not call `shouldCheck()` at the same time.
@usableFromInline
final class CancellationCheckInterval: Sendable {
    @usableFromInline let isOver = Atomic(false)
    @usableFromInline let count = Atomic(0)

    @inlinable
    init() {}

    @inlinable
    func shouldCheck() -> Bool {
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

public import Synchronization

/// The subscription of an asynchronous iterator.
///
/// The source appends its values to the buffer. Releasing the subscription cancels it.
@usableFromInline
final class ValueSubscription<Element: Sendable>: Sendable {
    @usableFromInline let buffer: ValueBuffer<Element>
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        let buffer = ValueBuffer<Element>(policy)
        self.buffer = buffer
        let lifetime = Lifetime { buffer.end($0) }
        self.lifetime = lifetime
        // No cancellation handler is installed while the source is subscribed. This check stops a source that sends all
        // its values during that time, if the task is cancelled.
        let subscribePhase = CancellationPolling()
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

    /// Returns when the buffer is not empty, the stream has ended, or the task was cancelled.
    @usableFromInline
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { buffer.resumeWhenFilled($0) }
        } onCancel: {
            cancel()
        }
    }
}

/// Limits the checks for a cancelled task during a subscription to every eighth value.
///
/// `shouldCheck()` is called by one thread at a time.
@usableFromInline
final class CancellationPolling: Sendable {
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

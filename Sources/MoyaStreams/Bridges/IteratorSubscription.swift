public import Synchronization

@usableFromInline
final class IteratorSubscription<Element: Sendable>: Sendable {
    @usableFromInline let buffer: ValueBuffer<Element>
    @usableFromInline let subscription: AwaitedSubscription

    @inlinable
    init(_ source: Observable<Element>, _ policy: BufferingPolicy) {
        buffer = ValueBuffer(policy)
        subscription = AwaitedSubscription { [buffer] in buffer.end($0) }
        // A source may send all its values before `run` returns. There is no cancellation handler until then, so the
        // observer checks for a cancelled task.
        let subscribePhase = SubscribePhase()
        subscribePhase.run {
            subscription.start { lifetime in
                source.run(
                    Observer(lifetime) { [buffer] element in
                        buffer.append(element)
                        if subscribePhase.shouldCheck(), subscribePhase.isTaskCancelled { lifetime.cancel() }
                    })
            }
        }
    }

    deinit { subscription.cancel() }

    @usableFromInline
    func cancel() {
        subscription.cancel()
        buffer.close()
    }

    @usableFromInline
    func wait(isolation actor: isolated (any Actor)?) async {
        await withTaskCancellationHandler {
            await buffer.waitUntilFilled(isolation: actor)
        } onCancel: {
            cancel()
        }
    }
}

// While a task subscribes, the observer checks whether it was cancelled. A check is slow, so `shouldCheck()` is true
// for every eighth value only. Two threads must not call it at the same time.
@usableFromInline
final class SubscribePhase: Sendable {
    /// The phase of the current task; `nil` in another task that delivers values meanwhile.
    @TaskLocal private static var current: SubscribePhase?

    @usableFromInline let isOver = Atomic(false)
    @usableFromInline let count = Atomic(0)

    @inlinable
    init() {}

    @usableFromInline
    func run(_ subscribe: () -> Void) {
        Self.$current.withValue(self, operation: subscribe)
        isOver.store(true, ordering: .relaxed)
    }

    @inlinable
    func shouldCheck() -> Bool {
        if isOver.load(ordering: .relaxed) { return false }
        let number = count.load(ordering: .relaxed) &+ 1
        count.store(number, ordering: .relaxed)
        return number & 7 == 0
    }

    @usableFromInline var isTaskCancelled: Bool { Self.current === self && Task.isCancelled }
}

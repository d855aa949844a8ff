public import MoyaScheduling
public import Synchronization

/// The values that a signal replays to new observers; changed only inside the drain loop of the signal.
@usableFromInline
final class ReplayBuffer<Element: Sendable>: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let queue = Locked(Queue<Element>())
    /// Whether only the first observer receives the values; the buffer remains empty after that observer subscribes.
    @usableFromInline let isUntilObserved: Bool
    @usableFromInline let isObserved = Atomic<Bool>(false)

    @inlinable
    init(limit: Int, isUntilObserved: Bool = false) {
        self.limit = limit
        self.isUntilObserved = isUntilObserved
    }

    /// Returns the values that a new observer receives first.
    @usableFromInline
    func elementsForObserver() -> [Element] {
        guard isUntilObserved else { return elements }
        isObserved.store(true, ordering: .relaxed)
        let buffered = queue.withLock { queue in
            defer { queue = Queue() }
            return queue
        }
        return buffered.elements
    }

    @inlinable var elements: [Element] { queue.withLock { $0.elements } }
    @inlinable var latest: Element? { queue.withLock { $0.last } }

    @inlinable
    func append(_ element: Element) {
        if isObserved.load(ordering: .relaxed) { return }
        let dropped = queue.withLock { queue -> Element? in
            queue.append(element)
            return queue.count > limit ? queue.popFirst() : nil
        }
        withExtendedLifetime(dropped) {}
    }
}

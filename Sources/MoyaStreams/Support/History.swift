public import Moya

/// The values that a signal replays: written inside its gate, read by anybody.
@usableFromInline
final class History<Element: Sendable>: Sendable {
    @usableFromInline let limit: Int
    @usableFromInline let queue = Guarded(Queue<Element>())

    @inlinable
    init(limit: Int) {
        self.limit = limit
    }

    @inlinable var elements: [Element] { queue.withLock { $0.elements } }
    @inlinable var latest: Element? { queue.withLock { $0.last } }

    @inlinable
    func append(_ element: Element) {
        let dropped = queue.withLock { queue -> Element? in
            queue.append(element)
            return queue.count > limit ? queue.popFirst() : nil
        }
        withExtendedLifetime(dropped) {}
    }
}

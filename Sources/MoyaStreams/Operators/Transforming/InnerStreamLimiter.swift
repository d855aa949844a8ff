// Queues or drops values while as many inner streams run as allowed. No method releases an element, because the caller
// holds a lock, under which an element's `deinit` must not run.
@usableFromInline
struct InnerStreamLimiter<Element: Sendable>: Sendable {
    @usableFromInline
    enum Phase: Sendable {
        case outerRunning, outerCompleted, ended
    }

    @usableFromInline let limit: Int
    @usableFromInline let isQueueing: Bool
    @usableFromInline var waiting = Queue<Element>()
    @usableFromInline var running = 0
    @usableFromInline var phase = Phase.outerRunning

    @inlinable
    init(limit: Int, isQueueing: Bool) {
        self.limit = limit
        self.isQueueing = isQueueing
    }

    /// Returns the element if its inner stream may start now; otherwise queues or drops it.
    @inlinable
    mutating func arrive(_ element: Element) -> Element? {
        guard phase != .ended else { return nil }
        if running < limit {
            running += 1
            return element
        }
        if isQueueing { waiting.append(element) }
        return nil
    }

    @inlinable
    mutating func endOuter() -> Bool {
        if phase == .outerRunning { phase = .outerCompleted }
        return running == 0
    }

    /// Returns the element whose inner stream may start now, and whether no more can follow.
    @inlinable
    mutating func endInner() -> (next: Element?, isLast: Bool) {
        guard phase != .ended else { return (nil, false) }
        if let next = waiting.popFirst() { return (next, false) }
        running -= 1
        return (nil, phase == .outerCompleted && running == 0)
    }

    /// Marks the operator as ended; returns the queued elements, which the caller releases outside the lock.
    @inlinable
    mutating func end() -> Queue<Element> {
        phase = .ended
        return exchange(&waiting, with: Queue())
    }
}

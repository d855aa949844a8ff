public import MoyaScheduling
public import Synchronization

/// The values that a signal replays to new observers, and the value that was accepted last.
///
/// A value is accepted when it is sent (R34), and replayed once it is delivered. It is delivered by its sender only if no
/// accepted value waits; otherwise it is queued, under the lock that orders acceptance.
@usableFromInline
final class ReplayBuffer<Element: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var delivered = Queue<Element>()
        /// The number of values that were accepted and not delivered, and the last of them.
        @usableFromInline var waiting = 0
        @usableFromInline var lastWaiting: Element?
        /// The number of accepted values, by which `ValueEmitter.update(_:)` notices a newer value.
        @usableFromInline var version = 0
        @usableFromInline var isEnded = false

        @inlinable
        init() {}

        @inlinable var latest: Element? { waiting > 0 ? lastWaiting : delivered.last }
    }

    @usableFromInline
    enum Acceptance: Sendable {
        /// The caller delivers the value.
        case deliver
        case queued, refused
    }

    @usableFromInline let limit: Int
    @usableFromInline let state = Locked(State())
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
        guard isUntilObserved else { return state.withLock { $0.delivered.elements } }
        isObserved.store(true, ordering: .relaxed)
        return state.withLock { state in exchange(&state.delivered, with: Queue()) }.elements
    }

    @inlinable var latest: Element? { state.withLock { $0.latest } }

    /// The value that was accepted last, and its version; `nil` without a value, or after the end.
    @usableFromInline var current: (value: Element, version: Int)? {
        state.withLock { state in
            guard !state.isEnded, let value = state.latest else { return nil }
            return (value, state.version)
        }
    }

    /// Accepts a value, unless the signal has ended or its value is not that of `version`.
    ///
    /// - Parameters:
    ///   - owns: whether the caller owns the state of the signal and can deliver the value.
    ///   - queue: appends the value to the messages of the signal.
    @inlinable
    func accept(_ element: Element, replacing version: Int?, owns: Bool, queue: () -> Void) -> Acceptance {
        let (acceptance, dropped) = state.withLock { state -> (Acceptance, Element?) in
            guard !state.isEnded, version == nil || version == state.version else { return (.refused, nil) }
            state.version &+= 1
            if owns, state.waiting == 0 { return (.deliver, append(element, to: &state.delivered)) }
            state.waiting += 1
            queue()
            return (.queued, exchange(&state.lastWaiting, with: element))
        }
        withExtendedLifetime(dropped) {}
        return acceptance
    }

    /// Moves a value that waited to the delivered values.
    @usableFromInline
    func deliver(_ element: Element) {
        let dropped = state.withLock { state -> (Element?, Element?) in
            state.waiting -= 1
            return (
                append(element, to: &state.delivered),
                state.waiting == 0 ? exchange(&state.lastWaiting, with: nil) : nil
            )
        }
        withExtendedLifetime(dropped) {}
    }

    /// Refuses later values; `queue` appends the end to the messages of the signal.
    @usableFromInline
    func acceptEnd(queue: () -> Void) {
        state.withLock { state in
            state.isEnded = true
            queue()
        }
    }

    /// Appends a delivered value; returns the one that it displaces, to be released outside the lock.
    @inlinable
    func append(_ element: Element, to delivered: inout Queue<Element>) -> Element? {
        if isObserved.load(ordering: .relaxed) { return nil }
        delivered.append(element)
        return delivered.count > limit ? delivered.popFirst() : nil
    }
}

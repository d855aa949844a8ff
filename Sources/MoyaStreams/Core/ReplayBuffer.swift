public import MoyaScheduling
public import Synchronization

/// The values of a signal: those that it replays to new observers, and the value that was accepted last.
///
/// A value is accepted when it is sent, and appended to the replayed values when it is delivered. The order of
/// acceptance is the order of delivery: while accepted values wait for their delivery, ``accept(_:queueing:)`` queues
/// a further value behind them.
@usableFromInline
final class ReplayBuffer<Element: Sendable>: Sendable {
    @usableFromInline
    struct State: Sendable {
        /// The values that were delivered.
        @usableFromInline var delivered = Queue<Element>()
        /// The number of values that were accepted and not delivered.
        @usableFromInline var waiting = 0
        /// The last of these values.
        @usableFromInline var lastWaiting: Element?
        /// The number of accepted values; ``Emitter/update(_:)`` reads it to find out whether the value has changed.
        @usableFromInline var version = 0
        /// Whether the end of the signal was accepted, after which no value is.
        @usableFromInline var isEnded = false

        @inlinable
        init() {}

        @inlinable var latest: Element? { waiting > 0 ? lastWaiting : delivered.last }
    }

    @usableFromInline
    enum Acceptance: Sendable {
        /// The caller delivers the value.
        case deliver
        /// The value was queued.
        case queued
        case refused
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
        guard isUntilObserved else { return elements }
        isObserved.store(true, ordering: .relaxed)
        let buffered = state.withLock { state in exchange(&state.delivered, with: Queue()) }
        return buffered.elements
    }

    @inlinable var elements: [Element] { state.withLock { $0.delivered.elements } }
    @inlinable var latest: Element? { state.withLock { $0.latest } }

    /// The value that was accepted last, and the number of accepted values; `nil` without a value, or after the end.
    @usableFromInline var current: (value: Element, version: Int)? {
        state.withLock { state in
            guard !state.isEnded, let value = state.latest else { return nil }
            return (value, state.version)
        }
    }

    /// Accepts a value that the caller delivers, unless others wait for their delivery.
    ///
    /// - Parameters:
    ///   - version: the version of the value that `element` replaces; `nil` for any.
    ///   - owns: whether the caller owns the state of the signal and can deliver the value.
    ///   - queue: appends the value to the queued messages of the signal, if it is not delivered by the caller.
    /// - Returns: `refused` if the signal has ended, or if its value is not that of `version`.
    @inlinable
    func accept(_ element: Element, replacing version: Int? = nil, owns: Bool, queue: () -> Void) -> Acceptance {
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

    /// Accepts the end of the signal: later values are refused.
    ///
    /// - Parameter queue: appends the end to the queued messages of the signal, behind the values that were accepted.
    @usableFromInline
    func acceptEnd(queue: () -> Void) {
        state.withLock { state in
            state.isEnded = true
            queue()
        }
    }

    /// Appends a value to the delivered values; returns the value that it displaces, to be released outside the lock.
    @inlinable
    func append(_ element: Element, to delivered: inout Queue<Element>) -> Element? {
        if isObserved.load(ordering: .relaxed) { return nil }
        delivered.append(element)
        return delivered.count > limit ? delivered.popFirst() : nil
    }
}

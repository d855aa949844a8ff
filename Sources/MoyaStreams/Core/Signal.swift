/// A hot stream: it runs with or without subscribers, and all subscribers see the same values in the same order.
///
/// A value that is sent from inside an observer is delivered after all observers have received the current value.
/// Observers receive a value in the order of subscription. A new subscriber of a signal that has ended immediately
/// receives the replayed values and the terminal event. If the emitter is released without an end, nothing can be sent
/// any more, and the signal releases its observers without an event.
///
/// ```swift
/// let (signal, emitter) = Signal<String>.pipe()
/// signal.map(\.count).subscribeNext { print($0) }
/// emitter.send("hello")    // 5
/// ```
public final class Signal<Element: Sendable>: Subscribable {
    @usableFromInline
    struct State: Sendable {
        @usableFromInline var observers: [Observer<Element>] = [] {
            didSet { tree = nil }
        }
        /// A copy of `observers` for fast delivery; `nil` if `observers` has changed since the last value.
        @usableFromInline var tree: SignalDeliveryTree<Element>?
        @usableFromInline var replayed = Queue<Element>()
        @usableFromInline var limit: Int
        @usableFromInline var end: End?

        @inlinable
        init(limit: Int) {
            self.limit = limit
        }

        @inlinable
        @inline(__always)
        mutating func deliver(_ element: Element) {
            if limit > 0 { record(element) }
            if tree == nil, !observers.isEmpty { tree = SignalDeliveryTree(observers[...]) }
            tree?.deliver(element)
        }

        @inlinable
        @inline(never)
        mutating func record(_ element: Element) {
            replayed.append(element)
            if replayed.count > limit { _ = replayed.popFirst() }
        }
    }

    /// Ends the lifetime of an observer; does nothing if the emitter was released without an end.
    @usableFromInline typealias End = @Sendable (Lifetime) -> Void

    @usableFromInline
    enum Message: Sendable {
        case next(Element)
        case end(End, emitter: Lifetime?)
        case subscribe(Observer<Element>)
        case unsubscribe(ObjectIdentifier)
    }

    @usableFromInline let drainLoop: DrainLoop<State, Message>
    @usableFromInline let hasValue: Bool
    // What other threads may read: the value that was sent last, and may wait for its delivery (R34). `update` notices
    // a newer value by its `version`.
    @usableFromInline let published = LockedBox((value: Element?.none, version: 0, isEnded: false, isObserved: false))

    /// Creates a signal and the emitter that sends the events of the signal.
    ///
    /// - Parameter replay: which earlier values a new subscriber receives first.
    @inlinable
    public static func pipe(replay: ReplayPolicy = .none) -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal(limit: replay.limit)
        return (signal, signal.makeEmitter())
    }

    /// Creates a signal that replays up to `limit` values; with `isUntilObserved`, only to its first observer.
    @inlinable
    init(limit: Int, isUntilObserved: Bool = false) {
        hasValue = limit > 0 && !isUntilObserved
        drainLoop = DrainLoop(State(limit: limit)) { [published] state, message in
            switch message {
            case .next(let element): state.deliver(element)
            case .end(let end, let emitter):
                guard state.end == nil else { return }
                state.end = end
                let observers = exchange(&state.observers, with: [])
                published.change { $0.isObserved = false }
                for observer in observers { end(observer.lifetime) }
                emitter?.cancel()
            case .subscribe(let observer):
                if state.limit > 0 {
                    let replayed = state.replayed.elements
                    if isUntilObserved { (state.replayed, state.limit) = (Queue(), 0) }
                    for element in replayed { observer.send(element) }
                }
                if let end = state.end { return end(observer.lifetime) }
                state.observers.append(observer)
                published.change { $0.isObserved = true }
            case .unsubscribe(let id):
                let index = state.observers.firstIndex { ObjectIdentifier($0.lifetime) == id }
                guard let index else { return }
                state.observers.remove(at: index)
                published.change { [isObserved = !state.observers.isEmpty] in $0.isObserved = isObserved }
            }
        }
    }

    /// The value that was sent last; `nil` before the first value, and always `nil` if the signal replays no values.
    ///
    /// A value counts as soon as it is sent, also while another value is being delivered: inside an observer, or on
    /// another thread. A new subscriber first receives the value that was delivered last, and then the newer ones.
    public var value: Element? { published.change { $0.value } }

    /// Whether the signal has subscribers; may be read from any thread.
    ///
    /// If a subscription begins or ends during a delivery, this property changes after the delivery.
    public var hasObservers: Bool { published.change { $0.isObserved } }

    /// The events of the signal as an observable.
    @inlinable public var observable: Observable<Element> {
        Observable(run: { observer in
            self.drainLoop.submit(.subscribe(observer))
            observer.lifetime.onEnd { [drainLoop = self.drainLoop, id = ObjectIdentifier(observer.lifetime)] in
                drainLoop.submit(.unsubscribe(id))
            }
        })
    }

    /// Sends a value that can be read at once; returns false if the value to replace is not that of `version`.
    @usableFromInline
    @discardableResult
    func replace(_ version: Int? = nil, with element: Element) -> Bool {
        let (isAccepted, former) = published.change { latest -> (Bool, Element?) in
            if latest.isEnded { return (true, nil) }
            if let version, version != latest.version { return (false, nil) }
            latest.version &+= 1
            // The order of the queue is that in which the values were accepted.
            drainLoop.append(.next(element))
            return (true, exchange(&latest.value, with: element))
        }
        withExtendedLifetime(former) {}
        drainLoop.drainIfFree()
        return isAccepted
    }

    /// Creates the only emitter of the signal: when it is released, the signal releases its observers.
    @inlinable
    func makeEmitter() -> Emitter<Element> {
        let lifetime = Lifetime(.callWhenReleased { [drainLoop] _ in drainLoop.submit(.end({ _ in }, emitter: nil)) })
        return Emitter(
            lifetime,
            post: { [self, drainLoop, hasValue] element in
                if hasValue {
                    replace(with: element)
                } else if !drainLoop.tryWithState({ $0.deliver(element) }) {
                    drainLoop.enqueue(.next(element))
                }
            },
            end: { [published, drainLoop] error in
                published.change { $0.isEnded = true }
                drainLoop.submit(.end({ $0.end(error) }, emitter: lifetime))
            })
    }
}

// The observers of a signal in order of subscription, as an immutable balanced tree. Faster than an array: reading an
// observer from an array retains it, reading a constant property doesn't.
@usableFromInline
final class SignalDeliveryTree<Element: Sendable>: Sendable {
    @usableFromInline let before: SignalDeliveryTree?
    @usableFromInline let observer: Observer<Element>
    @usableFromInline let after: SignalDeliveryTree?

    @inlinable
    init?(_ observers: ArraySlice<Observer<Element>>) {
        guard !observers.isEmpty else { return nil }
        let middle = observers.startIndex + observers.count / 2
        before = SignalDeliveryTree(observers[..<middle])
        observer = observers[middle]
        after = SignalDeliveryTree(observers[(middle + 1)...])
    }

    @inlinable
    @inline(never)
    func deliver(_ element: Element) {
        // If `before` is `nil`, `after` is also `nil`, because `before` is never the smaller subtree.
        if before == nil { observer.send(element) } else { deliverToAll(element) }
    }

    @inlinable
    @inline(never)
    func deliverToAll(_ element: Element) {
        before?.deliver(element)
        observer.send(element)
        after?.deliver(element)
    }
}

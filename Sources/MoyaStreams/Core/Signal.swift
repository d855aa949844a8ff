public import MoyaScheduling

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
        @usableFromInline var end: End?

        @inlinable
        init() {}
    }

    @usableFromInline
    enum End: Sendable {
        case event((any Error)?)
        /// Nothing can be sent any more, because the emitter was released.
        case silent
    }

    @usableFromInline
    enum Message: Sendable {
        case next(Element)
        case end(End)
        case subscribe(Observer<Element>)
        case unsubscribe(ObjectIdentifier)
    }

    @usableFromInline let drainLoop: DrainLoop<State, Message>
    /// Written only inside `drainLoop`.
    @usableFromInline let observed = LockedBox(false)
    /// The replayed values; `nil` if the signal replays no values.
    @usableFromInline let replayBuffer: ReplayBuffer<Element>?
    /// Ends when the signal completes or fails.
    @usableFromInline let lifetime = Lifetime { _ in }

    /// Creates a signal and the emitter that sends the events of the signal.
    ///
    /// - Parameter replay: which earlier values a new subscriber receives first.
    @inlinable
    public static func pipe(replay: ReplayPolicy = .none) -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal(replay: replay)
        return (signal, signal.makeEmitter())
    }

    @usableFromInline
    convenience init(replay: ReplayPolicy) {
        self.init(replayBuffer: replay.limit > 0 ? ReplayBuffer(limit: replay.limit) : nil)
    }

    @inlinable
    init(replayBuffer: ReplayBuffer<Element>?) {
        self.replayBuffer = replayBuffer
        drainLoop = DrainLoop(State()) { [observed, lifetime] state, message in
            switch message {
            case .next(let element):
                replayBuffer?.deliver(element)
                Self.deliver(element, to: &state)
            case .end(let end):
                guard state.end == nil else { return }
                state.end = end
                let observers = state.observers
                state.observers = []
                observed.value = false
                guard case .event(let error) = end else { return }
                for observer in observers { observer.lifetime.end(error) }
                lifetime.finish()
            case .subscribe(let observer):
                for element in replayBuffer?.elementsForObserver() ?? [] { observer.send(element) }
                switch state.end {
                case .event(let error): observer.lifetime.end(error)
                case .silent: break
                case nil:
                    state.observers.append(observer)
                    observed.value = true
                }
            case .unsubscribe(let id):
                if let index = state.observers.firstIndex(where: { ObjectIdentifier($0.lifetime) == id }) {
                    state.observers.remove(at: index)
                    observed.value = !state.observers.isEmpty
                }
            }
        }
    }

    /// The value that was sent last; `nil` before the first value, and always `nil` if the signal replays no values.
    ///
    /// A value counts as soon as it is sent, also while another value is being delivered: inside an observer, or on
    /// another thread. A new subscriber first receives the value that was delivered last, and then the newer ones.
    public var value: Element? { replayBuffer?.latest }

    /// Whether the signal has subscribers; may be read from any thread.
    ///
    /// If a subscription begins or ends during a delivery, this property changes after the delivery.
    public var hasObservers: Bool { observed.value }

    /// The events of the signal as an observable.
    @inlinable public var observable: Observable<Element> {
        Observable(run: { observer in
            self.drainLoop.submit(.subscribe(observer))
            observer.lifetime.onEnd(.unsubscribe(ObjectIdentifier(observer.lifetime), self))
        })
    }

    /// Creates the only emitter of the signal: when the emitter is released, the signal releases its observers.
    @inlinable
    func makeEmitter() -> Emitter<Element> { SignalOwner(self).makeEmitter() }

    /// Sends a value of a signal with a replay buffer; returns false if the buffer has refused the value.
    @inlinable
    @inline(never)
    @discardableResult
    static func accept(
        _ element: Element, replacing version: Int? = nil, _ replayBuffer: ReplayBuffer<Element>,
        _ drainLoop: DrainLoop<State, Message>
    ) -> Bool {
        var acceptance = ReplayBuffer<Element>.Acceptance.refused
        func accept(owns: Bool) {
            acceptance = replayBuffer.accept(element, replacing: version, owns: owns) {
                drainLoop.append(.next(element))
            }
        }
        let isEntered = drainLoop.tryWithState { state in
            accept(owns: true)
            if acceptance == .deliver { deliver(element, to: &state) }
        }
        if !isEntered {
            accept(owns: false)
            drainLoop.drainIfFree()
        }
        return acceptance != .refused
    }

    @usableFromInline
    func update(_ change: (inout Element) -> Void) {
        while let replayBuffer, let (value, version) = replayBuffer.current {
            var element = value
            change(&element)
            if Self.accept(element, replacing: version, replayBuffer, drainLoop) { return }
        }
    }

    @usableFromInline
    func end(_ error: (any Error)?) {
        guard let replayBuffer else { return drainLoop.submit(.end(.event(error))) }
        replayBuffer.acceptEnd { drainLoop.append(.end(.event(error))) }
        drainLoop.drainIfFree()
    }

    @inlinable
    @inline(__always)
    static func deliver(_ element: Element, to state: inout State) {
        if state.tree == nil { prepareDelivery(&state) }
        state.tree?.deliver(element)
    }

    /// Builds `tree`; not inlined, because the observers rarely change.
    @inlinable
    @inline(never)
    static func prepareDelivery(_ state: inout State) {
        if !state.observers.isEmpty { state.tree = SignalDeliveryTree(state.observers[...]) }
    }
}

extension Signal: ObserverRemoving {
    @usableFromInline
    func removeObserver(_ id: ObjectIdentifier) { drainLoop.submit(.unsubscribe(id)) }
}

/// Retains a signal for its emitter, and has the signal release its observers when the emitter is released.
@usableFromInline
final class SignalOwner<Element: Sendable>: Sendable {
    @usableFromInline let signal: Signal<Element>

    @inlinable
    init(_ signal: Signal<Element>) {
        self.signal = signal
    }

    deinit { signal.drainLoop.submit(.end(.silent)) }

    @inlinable
    func makeEmitter() -> Emitter<Element> {
        Emitter(
            signal.lifetime,
            post: { [drainLoop = signal.drainLoop, replayBuffer = signal.replayBuffer] element in
                withExtendedLifetime(self) {
                    if let replayBuffer {
                        Signal.accept(element, replayBuffer, drainLoop)
                    } else if !drainLoop.tryWithState({ Signal.deliver(element, to: &$0) }) {
                        drainLoop.enqueue(.next(element))
                    }
                }
            },
            end: { self.signal.end($0) })
    }
}

/// The observers of a signal in order of subscription, as an immutable balanced tree.
///
/// Delivery is faster than with an array: reading an observer from an array retains the observer, but reading it from a
/// constant property does not.
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

    /// Delivers a value to all observers.
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

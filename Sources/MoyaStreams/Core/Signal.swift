/// A hot stream: it runs with or without subscribers, and all subscribers see the same values in the same order.
///
/// A value that is sent from inside an observer is delivered after all observers have received the current value.
/// Observers receive a value in the order of subscription. A new subscriber of a signal that has ended immediately
/// receives the replayed values and the terminal event.
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
        @usableFromInline var end: Result<Void, any Error>?

        @inlinable
        init() {}
    }

    @usableFromInline
    enum Message: Sendable {
        case next(Element)
        case update(@Sendable (inout Element) -> Void)
        case end(Result<Void, any Error>)
        case subscribe(Observer<Element>)
        case unsubscribe(ObjectIdentifier)
        case close
    }

    @usableFromInline let drainLoop: DrainLoop<State, Message>

    /// Whether the signal has observers; written only inside `drainLoop`.
    @usableFromInline let observed = LockedBox(false)

    /// The replayed values; `nil` if the signal replays no values.
    @usableFromInline let replayBuffer: ReplayBuffer<Element>?

    /// Ends when the signal completes or fails.
    @usableFromInline let lifetime: Lifetime

    /// Creates a signal and the emitter that sends the events of the signal.
    ///
    /// - Parameter replay: which earlier values a new subscriber receives first.
    @inlinable
    public static func pipe(replay: ReplayPolicy = .none) -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal(replayBuffer: replay.limit > 0 ? ReplayBuffer(limit: replay.limit) : nil)
        return (signal, signal.emitter)
    }

    /// Creates a signal that always has a value, and the emitter that sends the events of the signal.
    ///
    /// A new subscriber receives the latest value first.
    ///
    /// ```swift
    /// let (count, emitter) = Signal.pipe(value: 0)
    /// emitter.update { $0 += 1 }
    /// count.value    // 1
    /// ```
    @inlinable
    public static func pipe(value: Element) -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal(replayBuffer: ReplayBuffer(limit: 1))
        signal.replayBuffer?.append(value)
        return (signal, signal.emitter)
    }

    @inlinable
    init(replayBuffer: ReplayBuffer<Element>?) {
        let lifetime = Lifetime { _ in }
        self.lifetime = lifetime
        self.replayBuffer = replayBuffer
        drainLoop = DrainLoop(State()) { [observed] state, message in
            switch message {
            case .next(let element):
                Self.deliver(element, to: &state, replayBuffer)
            case .update(let change):
                guard state.end == nil, var element = replayBuffer?.latest else { return }
                change(&element)
                Self.deliver(element, to: &state, replayBuffer)
            case .end(let end):
                guard state.end == nil else { return }
                let observers = state.observers
                state.observers = []
                observed.value = false
                state.end = end
                for observer in observers { observer.lifetime.end(end.failure) }
                lifetime.finish()
            case .subscribe(let observer):
                for element in replayBuffer?.elementsForObserver() ?? [] { observer.send(element) }
                if let end = state.end {
                    observer.lifetime.end(end.failure)
                } else {
                    state.observers.append(observer)
                    observed.value = true
                }
            case .unsubscribe(let id):
                if let index = state.observers.firstIndex(where: { ObjectIdentifier($0.lifetime) == id }) {
                    state.observers.remove(at: index)
                    observed.value = !state.observers.isEmpty
                }
            case .close:
                state.observers = []
            }
        }
    }

    deinit { drainLoop.submit(.close) }

    /// The latest value; `nil` before the first value, and always `nil` if the signal replays no values.
    public var value: Element? { replayBuffer?.latest }

    /// Whether the signal has subscribers; may be read from any thread.
    ///
    /// If a subscription begins or ends during a delivery, this property changes after the delivery.
    public var hasObservers: Bool { observed.value }

    /// The events of the signal as an observable.
    @inlinable public var observable: Observable<Element> {
        Observable(run: { observer in
            self.drainLoop.submit(.subscribe(observer))
            observer.lifetime.onEnd { [drainLoop = self.drainLoop, id = ObjectIdentifier(observer.lifetime)] in
                drainLoop.submit(.unsubscribe(id))
            }
        })
    }

    @inlinable var emitter: Emitter<Element> {
        Emitter(
            lifetime,
            post: { element in
                let isDelivered = self.drainLoop.tryWithState { Self.deliver(element, to: &$0, self.replayBuffer) }
                if !isDelivered { self.drainLoop.enqueue(.next(element)) }
            },
            end: { error in self.drainLoop.submit(.end(error.map { .failure($0) } ?? .success(()))) },
            change: { change in self.drainLoop.submit(.update(change)) })
    }

    @inlinable
    @inline(__always)
    static func deliver(_ element: Element, to state: inout State, _ replayBuffer: ReplayBuffer<Element>?) {
        if replayBuffer != nil || state.tree == nil { prepareDelivery(&state, replayBuffer, for: element) }
        state.tree?.deliver(element)
    }

    /// Adds a value to the replay buffer, if any, and rebuilds `tree` if the observers have changed.
    ///
    /// Not inlined, because most deliveries need neither step.
    @inlinable
    @inline(never)
    static func prepareDelivery(_ state: inout State, _ replayBuffer: ReplayBuffer<Element>?, for element: Element) {
        guard state.end == nil else { return }
        replayBuffer?.append(element)
        if state.tree == nil, !state.observers.isEmpty { state.tree = SignalDeliveryTree(state.observers[...]) }
    }
}

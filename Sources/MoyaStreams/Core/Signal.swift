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
        @usableFromInline var end: Result<Void, any Error>?
        /// Whether nothing can be sent any more, because the emitter was released before the end.
        @usableFromInline var isClosed = false

        @inlinable
        init() {}
    }

    @usableFromInline
    enum Message: Sendable {
        case next(Element)
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
        let signal = Signal(replay: replay)
        return (signal, signal.makeEmitter())
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
        _ = signal.replayBuffer?.accept(value, owns: true) {}
        return (signal, signal.makeEmitter())
    }

    @usableFromInline
    convenience init(replay: ReplayPolicy) {
        self.init(replayBuffer: replay.limit > 0 ? ReplayBuffer(limit: replay.limit) : nil)
    }

    @inlinable
    init(replayBuffer: ReplayBuffer<Element>?) {
        let lifetime = Lifetime { _ in }
        self.lifetime = lifetime
        self.replayBuffer = replayBuffer
        drainLoop = DrainLoop(State()) { [observed] state, message in
            switch message {
            case .next(let element):
                replayBuffer?.deliver(element)
                Self.deliver(element, to: &state)
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
                } else if !state.isClosed {
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
                state.isClosed = true
                observed.value = false
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
            observer.lifetime.onEnd { [drainLoop = self.drainLoop, id = ObjectIdentifier(observer.lifetime)] in
                drainLoop.submit(.unsubscribe(id))
            }
        })
    }

    /// Creates the only emitter of the signal: when the emitter is released, the signal releases its observers.
    @inlinable
    func makeEmitter() -> Emitter<Element> {
        let owner = SignalOwner(self)
        return Emitter(
            lifetime,
            post: { [drainLoop, replayBuffer] element in
                withExtendedLifetime(owner) {
                    if let replayBuffer {
                        Self.accept(element, replayBuffer, drainLoop)
                    } else if !drainLoop.tryWithState({ Self.deliver(element, to: &$0) }) {
                        drainLoop.enqueue(.next(element))
                    }
                }
            },
            end: { error in owner.signal.end(error.map { .failure($0) } ?? .success(())) },
            change: { change in owner.signal.update(change) })
    }

    /// Sends a value of a signal with a replay buffer; returns false if the buffer has refused the value.
    @inlinable
    @inline(never)
    @discardableResult
    static func accept(
        _ element: Element, replacing version: Int? = nil, _ replayBuffer: ReplayBuffer<Element>,
        _ drainLoop: DrainLoop<State, Message>
    ) -> Bool {
        var acceptance = ReplayBuffer<Element>.Acceptance.refused
        let isEntered = drainLoop.tryWithState { state in
            acceptance = replayBuffer.accept(element, replacing: version, owns: true) {
                drainLoop.append(.next(element))
            }
            if case .deliver = acceptance { deliver(element, to: &state) }
        }
        if !isEntered {
            acceptance = replayBuffer.accept(element, replacing: version, owns: false) {
                drainLoop.append(.next(element))
            }
            drainLoop.drainIfIdle()
        }
        if case .refused = acceptance { return false }
        return true
    }

    @usableFromInline
    func update(_ change: (inout Element) -> Void) {
        guard let replayBuffer else { return }
        while let (value, version) = replayBuffer.current {
            var element = value
            change(&element)
            if Self.accept(element, replacing: version, replayBuffer, drainLoop) { return }
        }
    }

    @usableFromInline
    func end(_ end: Result<Void, any Error>) {
        guard let replayBuffer else { return drainLoop.submit(.end(end)) }
        replayBuffer.acceptEnd { drainLoop.append(.end(end)) }
        drainLoop.drainIfIdle()
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

/// Retains a signal for its emitter.
///
/// When the emitter is released, nothing can be sent any more, and the signal releases its observers.
@usableFromInline
final class SignalOwner<Element: Sendable>: Sendable {
    @usableFromInline let signal: Signal<Element>

    @inlinable
    init(_ signal: Signal<Element>) {
        self.signal = signal
    }

    deinit { signal.drainLoop.submit(.close) }
}

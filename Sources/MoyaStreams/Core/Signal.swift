import Moya

/// A hot stream: it runs whether anybody listens or not, and all who listen see the same values in the same order.
///
/// A value that is sent from inside an observer is delivered after the current one has reached every observer. Observers
/// are served in the order in which they subscribed; one that comes after the end gets what is replayed, and the end, at
/// once.
///
/// ```swift
/// let (signal, emitter) = Signal<String>.pipe()
/// signal.map(\.count).subscribeNext { print($0) }
/// emitter.send("hello")    // 5
/// ```
public final class Signal<Element: Sendable>: Subscribable {
    @usableFromInline
    struct Room: Sendable {
        @usableFromInline var observers: [Observer<Element>] = [] {
            didSet { row = nil }
        }
        /// The same observers, as they are served; nil until the next value, and if there are none.
        @usableFromInline var row: Row<Element>?
        @usableFromInline var end: Result<Void, any Error>?

        @inlinable
        init() {}
    }

    @usableFromInline
    enum Note: Sendable {
        case next(Element)
        case change(@Sendable (inout Element) -> Void)
        case end(Result<Void, any Error>)
        case enter(Observer<Element>)
        case leave(ObjectIdentifier)
        case close
    }

    @usableFromInline let gate: Gate<Room, Note>

    /// Whether there are observers: written inside the gate, read by anybody.
    @usableFromInline let observed = Slot(false)

    /// What is replayed; nil if nothing is.
    @usableFromInline let history: History<Element>?

    /// The signal's own life: over when it has completed or failed.
    @usableFromInline let lifetime: Lifetime

    /// A signal and the emitter that feeds it.
    ///
    /// - Parameter replay: what a late subscriber is given first.
    @inlinable
    public static func pipe(replay: Replay = .none) -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal(history: replay.limit > 0 ? History(limit: replay.limit) : nil)
        return (signal, signal.emitter)
    }

    /// A signal that always has a value, and the emitter that feeds it.
    ///
    /// It replays the latest value.
    ///
    /// ```swift
    /// let (count, emitter) = Signal.pipe(value: 0)
    /// emitter.modify { $0 += 1 }
    /// count.value    // 1
    /// ```
    @inlinable
    public static func pipe(value: Element) -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal(history: History(limit: 1))
        signal.history?.append(value)
        return (signal, signal.emitter)
    }

    @inlinable
    init(history: History<Element>?) {
        let lifetime = Lifetime { _ in }
        self.lifetime = lifetime
        self.history = history
        gate = Gate(Room()) { [observed] room, note in
            switch note {
            case .next(let element):
                Self.serve(element, to: &room, history)
            case .change(let change):
                guard room.end == nil, var element = history?.latest else { return }
                change(&element)
                Self.serve(element, to: &room, history)
            case .end(let end):
                guard room.end == nil else { return }
                let observers = room.observers
                room.observers = []
                observed.value = false
                room.end = end
                for observer in observers { observer.lifetime.end(end.failure) }
                lifetime.finish()
            case .enter(let observer):
                for element in history?.elementsForObserver() ?? [] { observer.send(element) }
                if let end = room.end {
                    observer.lifetime.end(end.failure)
                } else {
                    room.observers.append(observer)
                    observed.value = true
                }
            case .leave(let id):
                if let place = room.observers.firstIndex(where: { ObjectIdentifier($0.lifetime) == id }) {
                    room.observers.remove(at: place)
                    observed.value = !room.observers.isEmpty
                }
            case .close:
                room.observers = []
            }
        }
    }

    deinit { gate.pass(.close) }

    /// The value that a late subscriber would see first among the latest: what was sent last, or the initial value.
    ///
    /// Nil if nothing was sent yet, and always for a signal that replays nothing.
    public var value: Element? { history?.latest }

    /// Whether anybody is subscribed now.
    ///
    /// May be read from any thread. While an event is delivered, who comes or goes meanwhile is not counted yet.
    public var hasObservers: Bool { observed.value }

    /// What a subscriber of this signal sees, as an observable.
    @inlinable public var observable: Observable<Element> {
        Observable(run: { observer in
            self.gate.pass(.enter(observer))
            observer.lifetime.onEnd { [gate = self.gate, id = ObjectIdentifier(observer.lifetime)] in
                gate.pass(.leave(id))
            }
        })
    }

    @inlinable var emitter: Emitter<Element> {
        Emitter(
            lifetime,
            post: { element in
                let served = self.gate.enter { room in Self.serve(element, to: &room, self.history) }
                if !served { self.gate.leave(.next(element)) }
            },
            end: { error in self.gate.pass(.end(error.map { .failure($0) } ?? .success(()))) },
            change: { change in self.gate.pass(.change(change)) })
    }

    @inlinable
    @inline(__always)
    static func serve(_ element: Element, to room: inout Room, _ history: History<Element>?) {
        if history != nil || room.row == nil { prepare(&room, history, for: element) }
        room.row?.serve(element)
    }

    /// Out of line: most signals have no history, and most values find the row there.
    @inlinable
    @inline(never)
    static func prepare(_ room: inout Room, _ history: History<Element>?, for element: Element) {
        guard room.end == nil else { return }
        history?.append(element)
        if room.row == nil, !room.observers.isEmpty { room.row = Row(room.observers[...]) }
    }
}

import Moya

/// A hot stream: it runs whether anybody listens or not, and all who listen see the same values in the same order.
///
/// A value that is sent from inside an observer is delivered after the current one has reached every observer. Observers
/// are served in the order in which they subscribed; one that comes after the end gets the end at once.
///
/// ```swift
/// let (signal, emitter) = Signal<String>.pipe()
/// signal.map(\.count).subscribeNext { print($0) }
/// emitter.send("hello")    // 5
/// ```
public final class Signal<Element: Sendable>: Subscribable {
    /// An observer's place: one reference each, so that serving them copies nothing.
    @usableFromInline
    final class Seat: Sendable {
        @usableFromInline let observer: Observer<Element>

        @inlinable
        init(_ observer: Observer<Element>) {
            self.observer = observer
        }
    }

    @usableFromInline
    struct Room: Sendable {
        @usableFromInline var seats: [Seat] = []
        @usableFromInline var end: Result<Void, any Error>?

        @inlinable
        init(end: Result<Void, any Error>? = nil) {
            self.end = end
        }
    }

    @usableFromInline
    enum Note: Sendable {
        case next(Element)
        case end(Result<Void, any Error>)
        case enter(Seat)
        case leave(ObjectIdentifier)
    }

    @usableFromInline let gate: Gate<Room, Note>

    /// The signal's own life: over when it has completed or failed.
    @usableFromInline let lifetime: Lifetime

    /// A signal and the emitter that feeds it.
    @inlinable
    public static func pipe() -> (signal: Signal<Element>, emitter: Emitter<Element>) {
        let signal = Signal()
        let emitter = Emitter<Element>(
            signal.lifetime,
            post: { [gate = signal.gate] element in gate.pass(.next(element)) },
            end: { [gate = signal.gate] error in gate.pass(.end(error.map { .failure($0) } ?? .success(()))) })
        return (signal, emitter)
    }

    @inlinable
    init() {
        let lifetime = Lifetime { _ in }
        self.lifetime = lifetime
        gate = Gate(Room()) { room, note in
            switch note {
            case .next(let element):
                for seat in room.seats where !seat.observer.lifetime.isOver { seat.observer.next(element) }
            case .end(let end):
                guard room.end == nil else { return }
                let seats = room.seats
                room = Room(end: end)
                for seat in seats { seat.observer.lifetime.end(end.failure) }
                lifetime.finish()
            case .enter(let seat):
                if let end = room.end {
                    seat.observer.lifetime.end(end.failure)
                } else {
                    room.seats.append(seat)
                }
            case .leave(let id):
                room.seats.removeAll { ObjectIdentifier($0) == id }
            }
        }
    }

    /// What a subscriber of this signal sees, as an observable.
    @inlinable public var observable: Observable<Element> {
        Observable { [gate] observer in
            let seat = Seat(observer)
            gate.pass(.enter(seat))
            observer.lifetime.onEnd { [weak gate, id = ObjectIdentifier(seat)] in gate?.pass(.leave(id)) }
        }
    }
}

extension Result where Success == Void {
    /// The error, if it is one.
    @inlinable var failure: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

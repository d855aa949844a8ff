/// The emitter of a signal that always has a value; made by ``Signal/pipe(value:)``.
public struct ValueEmitter<Element: Sendable>: Sendable {
    /// The emitter without the value, for code that sends to any stream.
    public let emitter: Emitter<Element>
    fileprivate let signal: Signal<Element>

    /// The value that was sent last; see ``Signal/value``.
    public var value: Element {
        get { latest.value }
        @available(*, unavailable, message: "use send(_:), or update(_:) if the value depends on the one before")
        nonmutating set { send(newValue) }
    }

    private var latest: (value: Element, version: Int, isEnded: Bool) {
        let latest = signal.published.change { $0 }
        guard let value = latest.value else { preconditionFailure("the signal was created with a value") }
        return (value, latest.version, latest.isEnded)
    }

    /// Changes the value and sends the result.
    ///
    /// The update is atomic: no other value is accepted between the value that the closure receives and the result. If
    /// another value is accepted while the closure runs, the closure runs again, with that value; it should have no
    /// other effect. It runs outside of all locks, and may read the signal, but must not send to it: each value that it
    /// sends would make it run again. Does nothing if the signal has ended.
    public func update(_ change: (inout Element) -> Void) {
        while true {
            var (value, version, isEnded) = latest
            if isEnded { return }
            change(&value)
            if signal.replace(version, with: value) { return }
        }
    }

    /// Sends a value; returns false if the signal has ended.
    @discardableResult
    public func send(_ element: Element) -> Bool { emitter.send(element) }

    /// Ends the signal with an error; later events are ignored.
    public func fail(_ error: any Error) { emitter.fail(error) }

    /// Completes the signal; later events are ignored.
    public func complete() { emitter.complete() }

    /// Whether the signal has ended.
    public var isTerminated: Bool { emitter.isTerminated }
}

extension Signal {
    /// Creates a signal that always has a value, and the emitter that sends the events of the signal.
    ///
    /// A new subscriber receives the latest value first.
    ///
    /// ```swift
    /// let (count, emitter) = Signal.pipe(value: 0)
    /// emitter.update { $0 += 1 }
    /// emitter.value    // 1
    /// ```
    public static func pipe(value: Element) -> (signal: Signal<Element>, emitter: ValueEmitter<Element>) {
        let signal = Signal(limit: 1)
        signal.replace(with: value)
        return (signal, ValueEmitter(emitter: signal.makeEmitter(), signal: signal))
    }
}

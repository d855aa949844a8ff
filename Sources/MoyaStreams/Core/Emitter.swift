/// Sends events to the observer of one ``Observable`` subscription, or to all observers of a ``Signal``.
///
/// An emitter may be used from any thread and from inside an observer. Events never overlap: an event that is sent
/// during the delivery of another event is queued, and the delivering thread delivers it afterwards. A nested or
/// concurrent ``send(_:)`` may therefore return before its value is delivered.
public struct Emitter<Element: Sendable>: Sendable {
    @usableFromInline let post: @Sendable (Element) -> Void
    @usableFromInline let end: @Sendable ((any Error)?) -> Void
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(
        _ lifetime: Lifetime, post: @escaping @Sendable (Element) -> Void,
        end: @escaping @Sendable ((any Error)?) -> Void
    ) {
        self.lifetime = lifetime
        self.post = post
        self.end = end
    }

    /// Sends a value.
    ///
    /// - Returns: false if the stream has ended or was cancelled, so that the producer can stop; otherwise true.
    @inlinable
    @discardableResult
    public func send(_ element: Element) -> Bool {
        post(element)
        return !lifetime.isOver
    }

    /// Sends a value or the end, as an event that was received from another stream.
    public func send(event: Event<Element>) {
        switch event {
        case .next(let element): post(element)
        case .error(let error): end(error)
        case .completed: end(nil)
        }
    }

    /// Ends the stream with an error; later events are ignored.
    public func fail(_ error: any Error) { end(error) }

    /// Completes the stream; later events are ignored.
    public func complete() { end(nil) }

    /// Whether the stream was cancelled or has ended.
    public var isTerminated: Bool { lifetime.isOver }

    /// Runs `teardown` once when the stream completes, fails or is cancelled, or the emitter of a signal is released;
    /// immediately if the stream has ended.
    ///
    /// Use it to release the resources of the producer.
    public func onTermination(_ teardown: @escaping @Sendable () -> Void) {
        lifetime.onEnd(teardown)
    }
}

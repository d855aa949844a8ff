/// The producer's end of a stream: of one subscription of an ``Observable``, or of a ``Signal``.
///
/// It may be used from any thread and from inside an observer. Events never overlap: one that is sent while another is
/// being delivered is delivered after it, by the thread that delivers then, so that a nested or racing ``send(_:)`` may return
/// before its value has arrived.
public struct Emitter<Element: Sendable>: Sendable {
    @usableFromInline let post: @Sendable (Element) -> Void
    @usableFromInline let end: @Sendable ((any Error)?) -> Void
    @usableFromInline let change: (@Sendable (@escaping @Sendable (inout Element) -> Void) -> Void)?
    @usableFromInline let lifetime: Lifetime

    @inlinable
    init(
        _ lifetime: Lifetime, post: @escaping @Sendable (Element) -> Void,
        end: @escaping @Sendable ((any Error)?) -> Void,
        change: (@Sendable (@escaping @Sendable (inout Element) -> Void) -> Void)? = nil
    ) {
        self.lifetime = lifetime
        self.post = post
        self.end = end
        self.change = change
    }

    /// Sends a value; returns false when the stream has ended or was cancelled, so that the producer stops.
    @inlinable
    @discardableResult
    public func send(_ element: Element) -> Bool {
        post(element)
        return !lifetime.isOver
    }

    /// Changes the latest value and sends the result in one step: no other event comes between.
    ///
    /// Does nothing unless the emitter is that of a ``Signal`` that replays and has a value.
    ///
    /// ```swift
    /// let (count, emitter) = Signal.pipe(value: 0)
    /// emitter.update { $0 += 1 }
    /// ```
    public func update(_ change: @escaping @Sendable (inout Element) -> Void) {
        self.change?(change)
    }

    /// Ends the stream with an error; nothing can be sent afterwards.
    public func fail(_ error: any Error) {
        end(error)
    }

    /// Ends the stream; nothing can be sent afterwards.
    public func complete() {
        end(nil)
    }

    /// Whether the stream was cancelled or has ended.
    public var isTerminated: Bool { lifetime.isOver }

    /// Runs `teardown` once when the stream is cancelled, completes or fails; immediately if it has ended.
    ///
    /// A producer releases its resources here.
    public func onTermination(_ teardown: @escaping @Sendable () -> Void) {
        lifetime.onEnd(teardown)
    }
}

/// The producer's end of a stream: of one subscription of an ``Observable``, or of a ``Signal``.
///
/// It may be used from any thread and from inside an observer. Events never overlap: one that is sent while another is
/// being delivered is delivered after it, by whoever delivers then, so that a nested or racing ``send(_:)`` may return
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

    /// Sends a value, and says whether anybody still listens: after false, stop producing.
    @inlinable
    @discardableResult
    public func send(_ element: Element) -> Bool {
        post(element)
        return !lifetime.isOver
    }

    /// Sends what `change` makes of the latest value, in one step: no other event comes between.
    ///
    /// Only a ``Signal`` that replays has a latest value; otherwise nothing happens.
    ///
    /// ```swift
    /// let (count, emitter) = Signal.pipe(value: 0)
    /// emitter.modify { $0 += 1 }
    /// ```
    public func modify(_ change: @escaping @Sendable (inout Element) -> Void) {
        self.change?(change)
    }

    /// Ends the stream with an error.
    ///
    /// Nothing can be sent afterwards.
    public func fail(_ error: any Error) {
        end(error)
    }

    /// Ends the stream.
    ///
    /// Nothing can be sent afterwards.
    public func complete() {
        end(nil)
    }

    /// Whether nobody listens any more: the stream was cancelled, or has ended.
    public var isCancelled: Bool { lifetime.isOver }

    /// Runs `cleanUp` once when the stream ends, whether it is cancelled, completes or fails; at once if it has ended.
    ///
    /// This is where a producer lets go of what it holds.
    public func onCancel(_ cleanUp: @escaping @Sendable () -> Void) {
        lifetime.onEnd(cleanUp)
    }
}

/// Receives the parts of a response as they arrive.
struct StreamSink: Sendable {
    /// The number of bytes of a ``StreamedResponse`` that are received before they are read.
    static let defaultWindow = 256 << 10

    /// The number of bytes that the caller acknowledges before the transport reads more.
    ///
    /// If `nil`, the caller acknowledges nothing: the provider does, see ``RequestExecution/streamWindow``.
    let window: Int?
    /// The idle timeout of an event stream unless user code has set one; `nil`: no limit.
    let eventStreamIdle: Duration?
    private let receive: @Sendable (ResponsePart, _ hasReturned: (@Sendable () -> Void)?) -> Void

    init(window: Int?, eventStreamIdle: Duration?, receive: @escaping @Sendable (ResponsePart) -> Void) {
        self.window = window
        self.eventStreamIdle = eventStreamIdle
        self.receive = { part, hasReturned in
            receive(part)
            hasReturned?()
        }
    }

    private init(_ other: StreamSink, on delivery: CallbackDelivery) {
        window = other.window
        eventStreamIdle = other.eventStreamIdle
        receive = { [receive = other.receive] part, hasReturned in delivery.post { receive(part, hasReturned) } }
    }

    /// Delivers a part; `hasReturned` is called after the receiver has returned.
    func deliver(_ part: ResponsePart, hasReturned: (@Sendable () -> Void)? = nil) {
        receive(part, hasReturned)
    }

    func delivered(by delivery: CallbackDelivery) -> StreamSink { StreamSink(self, on: delivery) }
}

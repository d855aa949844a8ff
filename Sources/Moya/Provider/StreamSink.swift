/// Receives the parts of a response as they arrive, and limits the number of unacknowledged bytes.
struct StreamSink: Sendable {
    /// The maximum number of bytes that may be unacknowledged before the transport stops reading; `nil`: no limit.
    let window: Int?
    let receive: @Sendable (ResponsePart) -> Void

    func delivered(by delivery: CallbackDelivery) -> StreamSink {
        StreamSink(window: window, receive: { [receive] part in delivery.post { receive(part) } })
    }
}

package struct StreamOptions: Sendable {
    /// The number of bytes of a ``StreamedResponse`` that are received before they are read.
    static let defaultWindow = 256 << 10

    // How many bytes the caller leaves unacknowledged before the transport stops. If `nil`, the provider acknowledges,
    // see ``RequestOperation/streamWindow``.
    let window: Int?
    /// The idle timeout of an event stream unless user code has set one; `nil`: no limit.
    let eventStreamIdle: Duration?
    /// Whether the caller wants events, whatever else the target accepts.
    let isEventStream: Bool
}

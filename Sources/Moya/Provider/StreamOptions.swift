/// How the parts of a response are delivered as they arrive.
struct StreamOptions: Sendable {
    /// The number of bytes of a ``StreamedResponse`` that are received before they are read.
    static let defaultWindow = 256 << 10

    /// The number of bytes that the caller acknowledges before the transport reads more.
    ///
    /// If `nil`, the caller acknowledges nothing: the provider does, see ``RequestOperation/streamWindow``.
    let window: Int?
    /// The idle timeout of an event stream unless user code has set one; `nil`: no limit.
    let eventStreamIdle: Duration?
}

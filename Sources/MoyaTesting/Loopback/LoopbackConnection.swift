public import Foundation

/// The connection of a ``LoopbackServer`` to one client, for replies that do more than send bytes.
///
/// ```swift
/// let server = try LoopbackServer(beforeContent: { _ in
///     LoopbackReply([
///         .send(LoopbackReply.head(200, ["Connection": "close"])),
///         .run { connection in while let bytes = connection.read() { connection.write(bytes) } },
///     ])
/// }) { _ in .status(404) }
/// ```
/// It is used on the thread of its connection only.
public final class LoopbackConnection {
    private let socket: Socket
    /// The bytes that arrived together with the head of the request.
    private var unread: [UInt8]

    init(_ socket: Socket, unread: [UInt8]) {
        self.socket = socket
        self.unread = unread
    }

    /// Waits for bytes and returns at most `count` of them; returns `nil` at the end of the connection.
    public func read(upTo count: Int = 65_536) -> Data? {
        guard unread.isEmpty else {
            defer { unread.removeFirst(min(count, unread.count)) }
            return Data(unread.prefix(count))
        }
        let bytes = socket.read(upTo: count)
        return bytes.isEmpty ? nil : Data(bytes)
    }

    /// Sends bytes, and returns whether all of them were sent.
    @discardableResult
    public func write(_ bytes: Data) -> Bool { socket.write(bytes) }

    /// Returns whether nothing arrives within a time: no bytes, and no end of the connection.
    public func isQuiet(for time: Duration) -> Bool {
        unread.isEmpty && socket.isQuiet(for: time)
    }
}

import Foundation
import Moya

extension WebSocketSession {
    struct Sender: Sendable {
        /// The number of bytes of the connection that include the message.
        let end: Int64
        let size: Int
        /// Distinguishes the calls.
        let ticket: Int64
    }

    struct State: Sendable {
        var parser: FrameParser
        var messages = Queue<WebSocketMessage>()
        /// The size of `messages` in bytes, with their frames: a server could send empty messages without end.
        var size = 0
        var unacknowledged = 0
        var hasConsumer = false
        var consumer: CheckedContinuation<Void, Never>?
        /// The number of bytes of all frames, and of those that the connection has sent.
        var queued: Int64 = 0
        var sent: Int64 = 0
        /// What was not passed to the connection and to the observers yet, and whether a call is passing some.
        var frames: [Data] = []
        var activities: [WebSocketActivity.Kind] = []
        var isFlushing = false
        var senders = Queue<Sender>()
        /// The calls that wait, by the tickets of their senders; a cancelled call does not.
        var waiting: [Int64: CheckedContinuation<Bool, Never>] = [:]
        /// Where the last pong ends, and the content of the next one, which waits behind many unsent bytes.
        var pongEnd: Int64 = 0
        var nextPong: Data?
        var hasSentClose = false
        var closedLocally = false
        var end: End?
        var closers: [CheckedContinuation<Void, Never>] = []
        var hasReceivedSincePing = true
        /// What `sent` is when the last ping has been sent.
        var pingEnd: Int64 = 0
        /// Whether the last ping waited behind a message, so that its pong has not had a whole interval yet.
        var hasPingWaited = false
        /// What `sent` was when the last ping was due.
        var sentAtTick: Int64 = 0
        var pings: (any Cancellable)?
        var closeTimer: (any Cancellable)?
        /// Whether the connection has ended.
        var hasEnded = false
    }

    enum End: Sendable {
        case closed(WebSocketCloseCode, reason: String)
        case failed(MoyaError)

        var closure: (code: WebSocketCloseCode, reason: String) {
            switch self {
            case .closed(let code, let reason): (code, reason)
            case .failed: (.abnormal, "")
            }
        }
    }

    /// What is done outside of the lock, because it may call the code of a user or of the transport.
    struct Wakeups {
        var consumer: CheckedContinuation<Void, Never>?
        var senders = Queue<(continuation: CheckedContinuation<Bool, Never>?, isSent: Bool)>()
        var closers: [CheckedContinuation<Void, Never>] = []
        var acknowledged = 0
        var timers: [any Cancellable] = []
        var cancelsConnection = false
        var startsCloseTimer = false

        mutating func run(_ connection: any TransportConnection) {
            if cancelsConnection { connection.cancel() }
            consumer?.resume()
            while let sender = senders.popFirst() { sender.continuation?.resume(returning: sender.isSent) }
            for closer in closers { closer.resume() }
            if acknowledged > 0 { connection.acknowledge(acknowledged) }
            for timer in timers { timer.cancel() }
        }
    }
}

extension WebSocketMessage {
    /// In bytes.
    var size: Int {
        switch self {
        case .text(let text): text.utf8.count
        case .data(let data): data.count
        }
    }

    /// The size with the shortest header of a frame.
    var sizeOfFrame: Int { size + 2 }
}

extension WebSocketSession.State {
    /// Returns how many bytes to acknowledge, so that the connection stops reading at its window of unread messages.
    mutating func acknowledge(keeping unread: Int) -> Int {
        let kept = min(unacknowledged, unread)
        defer { unacknowledged = kept }
        return unacknowledged - kept
    }
}

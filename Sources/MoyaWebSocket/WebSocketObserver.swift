public import Foundation
public import Moya
import MoyaScheduling
import Synchronization

/// An observer of a provider that also receives what happens on its WebSockets after the handshake.
///
/// ```swift
/// struct TrafficLog: WebSocketObserver {
///     func observe(_ event: CallEvent) {}
///     func observe(_ activity: WebSocketActivity) { print(activity) }
/// }
/// let provider = MoyaProvider<Chat>(observers: [TrafficLog()])
/// ```
/// The handshake is a call with events of its own. As with those, the observer is called later, on a background queue
/// or on the provider's virtual clock, with one activity of a socket at a time, in order.
public protocol WebSocketObserver: CallObserver {
    /// Called with each activity.
    func observe(_ activity: WebSocketActivity)
}

/// A message or the end of a WebSocket, passed to each ``WebSocketObserver``.
///
/// Neither the values nor the ``description`` contain the content of messages.
public struct WebSocketActivity: Sendable, CustomStringConvertible {
    /// A kind of activity, with its values.
    public enum Kind: Sendable, Hashable {
        /// A message was handed to the system; its size is that of its text in UTF-8, or of its bytes.
        case sent(bytes: Int)
        /// A complete message has arrived; it may still wait for your loop.
        case received(bytes: Int)
        /// The connection is closed, with the code ``WebSocketCloseCode/abnormal`` if it was lost.
        ///
        /// The duration is the time since the handshake. It is the last activity of a socket.
        case closed(WebSocketCloseCode, reason: String, duration: Duration)
    }

    /// The number of the socket, unique in the process.
    public let socket: UInt64
    /// The URL of the handshake.
    public let url: URL
    /// The kind of the activity, with its values.
    public let kind: Kind

    /// The socket, its host and path, and the activity in one line.
    public var description: String { "socket #\(socket) \(url.host() ?? "")\(url.path()): \(kind)" }
}

extension WebSocketActivity.Kind: CustomStringConvertible {
    /// The activity in a few words, without the reason of a close, which is the server's text.
    public var description: String {
        switch self {
        case .sent(let bytes): "sent \(bytes) bytes"
        case .received(let bytes): "received \(bytes) bytes"
        case .closed(let code, _, let duration): "closed with \(code.rawValue) after \(duration)"
        }
    }
}

/// Delivers the activities of one socket to the observers of its provider.
final class WebSocketObservation: Sendable {
    private static let lastSocket = Atomic<UInt64>(0)

    private let socket = lastSocket.wrappingAdd(1, ordering: .relaxed).newValue
    private let url: URL
    private let clock: any Scheduler
    private let begun: Duration
    private let delivery: SerialDelivery<WebSocketActivity>

    /// Returns `nil` if there is no observer.
    init?(_ observers: [any CallObserver], _ url: URL, _ clock: any Scheduler) {
        let observers = observers.compactMap { $0 as? any WebSocketObserver }
        guard !observers.isEmpty else { return nil }
        self.url = url
        self.clock = clock
        begun = clock.now
        // As with the events of calls, slow observers do not delay timers.
        delivery = SerialDelivery(on: clock is DispatchScheduler ? DispatchScheduler.deliveries : clock) { activity in
            for observer in observers { observer.observe(activity) }
        }
    }

    // Sets the duration of a close. Must not be called with a lock, because it calls a scheduler.
    func post(_ kind: WebSocketActivity.Kind) {
        var kind = kind
        if case .closed(let code, let reason, _) = kind {
            kind = .closed(code, reason: reason, duration: clock.now - begun)
        }
        delivery.post(WebSocketActivity(socket: socket, url: url, kind: kind))
    }
}

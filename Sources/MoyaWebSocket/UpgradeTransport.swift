import Foundation
import Moya

// Performs the handshake of a WebSocket as the exchange of a provider, so that its plugins, interceptors, redirects,
// cookies, observers and time limits apply. The outcome of a completed handshake is a response with status 101.
final class UpgradeTransport: Transport {
    private let base: any ConnectingTransport
    private let options: WebSocketOptions
    private let scheduler: any Scheduler
    /// The session of the last completed handshake, until it is taken.
    private let sessions = LockedArray<WebSocketSession>()

    init(_ base: any ConnectingTransport, _ options: WebSocketOptions, _ scheduler: any Scheduler) {
        self.base = base
        self.options = options
        self.scheduler = scheduler
    }

    var capabilities: TransportCapabilities { base.capabilities }

    func takeSession() -> WebSocketSession? { sessions.takeAll().last }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        takeSession()?.drop()
        guard let request = request.validated(orFailing: receive) else { return EndedExchange() }
        let exchange = UpgradeExchange(Handshake(request, subprotocols: options.subprotocols), receive) {
            [sessions, options, scheduler] connection, subprotocol, rest in
            let opened = WebSocketSession(connection, options, scheduler, subprotocol: subprotocol, received: rest)
            sessions.append(opened)
            return opened
        }
        exchange.begin(base.connect(for: request, window: 256 << 10) { exchange.receive($0) })
        return exchange
    }
}

private final class UpgradeExchange: TransportExchange {
    private enum Phase: Sendable {
        /// Connecting; the connection is `nil` until `connect` has returned.
        case connecting((any TransportConnection)?, isOpen: Bool)
        case awaitingResponse(any TransportConnection, HandshakeResponse)
        case open(WebSocketSession)
        case ended
    }

    private static let maximumContent = 1 << 20

    private let handshake: Handshake
    private let receiveEvents: @Sendable (TransportEvents) -> Void
    private let open: @Sendable (any TransportConnection, String?, Data) -> WebSocketSession
    private let phase = Locked(Phase.connecting(nil, isOpen: false))
    private let cancelled = OneShotFlag()

    init(
        _ handshake: Handshake, _ receive: @escaping @Sendable (TransportEvents) -> Void,
        open: @escaping @Sendable (any TransportConnection, String?, Data) -> WebSocketSession
    ) {
        self.handshake = handshake
        receiveEvents = receive
        self.open = open
    }

    func acknowledge(_ bytes: Int) {}

    var isCancelled: Bool { cancelled.isSet }

    func cancel() {
        guard cancelled.setIfUnset() else { return }
        switch phase.withLock({ $0 }) {
        case .connecting(let connection, _): connection?.cancel()
        case .awaitingResponse(let connection, _): connection.cancel()
        case .open, .ended: break
        }
    }

    func begin(_ connection: any TransportConnection) {
        let isOpen = phase.withLock { phase in
            guard case .connecting(_, let isOpen) = phase else { return false }
            phase = isOpen ? .awaitingResponse(connection, HandshakeResponse()) : .connecting(connection, isOpen: false)
            return isOpen
        }
        if isOpen { connection.send(handshake.bytes) }
        if isCancelled { connection.cancel() }
    }

    /// Called by one thread at a time.
    func receive(_ event: ConnectionEvent) {
        switch event {
        case .opened: opened()
        case .received(let bytes): received(bytes)
        case .sent(let count):
            if case .open(let session) = phase.withLock({ $0 }) { session.sent(count) }
        case .ended(let error): ended(error)
        }
    }

    private func opened() {
        let connection = phase.withLock { phase -> (any TransportConnection)? in
            guard case .connecting(let connection, _) = phase else { return nil }
            phase = connection.map { .awaitingResponse($0, HandshakeResponse()) } ?? .connecting(nil, isOpen: true)
            return connection
        }
        connection?.send(handshake.bytes)
    }

    private func received(_ bytes: Data) {
        switch phase.withLock({ $0 }) {
        case .open(let session): session.received(bytes)
        case .awaitingResponse(let connection, var response):
            connection.acknowledge(bytes.count)
            guard response.add(bytes) else {
                return fail(connection, URLError(.badServerResponse, "the response to the handshake is not valid HTTP"))
            }
            phase.withLock { $0 = .awaitingResponse(connection, response) }
            guard let head = response.head else { break }
            if head.statusCode == 101 {
                complete(connection, head, response.rest)
            } else if let content = response.content(isAtEnd: false, limit: Self.maximumContent) {
                refuse(connection, head, content)
            }
        case .connecting, .ended: break
        }
    }

    private func complete(_ connection: any TransportConnection, _ head: ResponseHead, _ rest: Data) {
        do throws(URLError) {
            let subprotocol = try handshake.subprotocol(in: head)
            let session = open(connection, subprotocol, rest)
            phase.withLock { $0 = .open(session) }
            session.begin(handshakeLength: Int64(handshake.bytes.count))
            receiveEvents(TransportEvents(head: head, outcome: TransportOutcome(error: nil)))
        } catch {
            fail(connection, error)
        }
    }

    private func refuse(_ connection: any TransportConnection, _ head: ResponseHead, _ content: Data) {
        phase.withLock { $0 = .ended }
        connection.cancel()
        receiveEvents(
            TransportEvents(
                head: head, chunks: content.isEmpty ? [] : [content], outcome: TransportOutcome(error: nil)))
    }

    private func fail(_ connection: any TransportConnection, _ error: URLError) {
        phase.withLock { $0 = .ended }
        connection.cancel()
        receiveEvents(TransportEvents(outcome: TransportOutcome(error: error)))
    }

    private func ended(_ error: URLError?) {
        let phase = phase.withLock { phase in
            // Releases the session, which retains the connection, which retains this exchange.
            defer { phase = .ended }
            return phase
        }
        switch phase {
        case .open(let session): session.ended(error)
        case .ended: break
        case .connecting, .awaitingResponse:
            if case .awaitingResponse(_, let response) = phase, error == nil, let head = response.head,
                let content = response.content(isAtEnd: true, limit: Self.maximumContent)
            {
                return receiveEvents(
                    TransportEvents(
                        head: head, chunks: content.isEmpty ? [] : [content], outcome: TransportOutcome(error: nil)))
            }
            let reason = "the connection was closed before the response to the handshake was complete"
            let failure = isCancelled ? URLError(.cancelled) : error ?? URLError(.networkConnectionLost, reason)
            receiveEvents(TransportEvents(outcome: TransportOutcome(error: failure)))
        }
    }
}

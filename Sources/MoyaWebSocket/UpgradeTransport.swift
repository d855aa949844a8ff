import Foundation
import Moya

// Performs the handshake of a WebSocket as the exchange of a provider, so that its plugins, interceptors, redirects,
// cookies, observers and time limits apply. The outcome of a completed handshake is a response with status 101.
final class UpgradeTransport: Transport {
    private let base: any ConnectingTransport
    private let options: WebSocketOptions
    private let scheduler: any Scheduler
    private let observers: [any CallObserver]
    /// The session of the last completed handshake, until it is taken.
    private let sessions = LockedArray<WebSocketSession>()

    init(_ base: any ConnectingTransport, _ options: WebSocketOptions, _ configuration: ProviderConfiguration) {
        self.base = base
        self.options = options
        scheduler = configuration.scheduler.forInternalWork
        observers = configuration.observers
    }

    /// Ends a session that was not taken, because an interceptor or the caller's cancel has ended the request.
    deinit { takeSession()?.drop() }

    var capabilities: TransportCapabilities { base.capabilities }

    func takeSession() -> WebSocketSession? { sessions.takeAll().last }

    func start(
        _ request: TransportRequest, receive: @escaping @Sendable (TransportEvents) -> Void
    ) -> any TransportExchange {
        takeSession()?.drop()
        guard let request = request.validated(orFailing: receive) else { return EndedExchange() }
        if let failure = failure(of: request) {
            receive(TransportEvents(outcome: TransportOutcome(failure: failure)))
            return EndedExchange()
        }
        let exchange = UpgradeExchange(Handshake(request, subprotocols: options.subprotocols), receive) {
            [sessions, options, scheduler, observers] connection, subprotocol, rest in
            let observation = WebSocketObservation(observers, request.url, scheduler)
            let opened = WebSocketSession(
                connection, options, scheduler, observation, subprotocol: subprotocol, received: rest)
            sessions.append(opened)
            return opened
        }
        exchange.connecting(base.connect(for: request, window: 256 << 10) { exchange.receive($0) })
        return exchange
    }

    private func failure(of request: TransportRequest) -> TransportError? {
        guard request.method == .get, !request.hasContent else {
            return .invalid("a WebSocket begins with a GET request without content (RFC 6455, section 4.1)")
        }
        guard let invalid = options.subprotocols.first(where: { !$0.isToken }) else { return nil }
        return .invalid("\(invalid.debugDescription) is not a subprotocol, which is a token (RFC 9110, section 5.6.2)")
    }
}

private final class UpgradeExchange: TransportExchange {
    private enum Phase: Sendable {
        case connecting
        case awaitingResponse(any TransportConnection, HandshakeResponse)
        case open(WebSocketSession)
        case ended
    }

    private static let maximumContent = 1 << 20

    private let handshake: Handshake
    /// Receives the outcome; released then, because it retains the request, its provider and the `UpgradeTransport`.
    private let receiveEvents: Locked<(@Sendable (TransportEvents) -> Void)?>
    private let open: @Sendable (any TransportConnection, String?, Data) -> WebSocketSession
    private let phase = Locked(Phase.connecting)
    /// The connection that is being made, to cancel it.
    private let connection = Locked<(any TransportConnection)?>(nil)
    private let cancelled = OneShotFlag()

    init(
        _ handshake: Handshake, _ receive: @escaping @Sendable (TransportEvents) -> Void,
        open: @escaping @Sendable (any TransportConnection, String?, Data) -> WebSocketSession
    ) {
        self.handshake = handshake
        receiveEvents = Locked(receive)
        self.open = open
    }

    func acknowledge(_ bytes: Int) {}

    var isCancelled: Bool { cancelled.isSet }

    func cancel() {
        if cancelled.setIfUnset() { connection.withLock { $0.take() }?.cancel() }
    }

    func connecting(_ connection: any TransportConnection) {
        self.connection.withLock { $0 = connection }
        if isCancelled { connection.cancel() }
        switch phase.withLock({ $0 }) {
        case .open, .ended: releaseConnection()
        case .connecting, .awaitingResponse: break
        }
    }

    /// The connection retains this exchange.
    private func releaseConnection() {
        let connection = connection.withLock { $0.take() }
        withExtendedLifetime(connection) {}
    }

    /// Called by one thread at a time.
    func receive(_ event: ConnectionEvent) {
        switch event {
        case .opened(let connection):
            phase.withLock { $0 = .awaitingResponse(connection, HandshakeResponse()) }
            connection.send(handshake.bytes)
        case .received(let bytes): received(bytes)
        case .sent(let count):
            if case .open(let session) = phase.withLock({ $0 }) { session.sent(count) }
        case .ended(let error): ended(error)
        }
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
            releaseConnection()
            session.begin(handshakeLength: Int64(handshake.bytes.count))
            deliver(head)
        } catch {
            fail(connection, error)
        }
    }

    private func refuse(_ connection: any TransportConnection, _ head: ResponseHead, _ content: Data) {
        phase.withLock { $0 = .ended }
        connection.cancel()
        var headers = head.headers
        // A redirect may name the scheme of a WebSocket; what follows is another handshake.
        if let location = headers["Location"] { headers["Location"] = location.withoutWebSocketScheme }
        deliver(ResponseHead(statusCode: head.statusCode, version: head.version, headers: headers), content)
    }

    private func deliver(_ head: ResponseHead? = nil, _ content: Data = Data(), error: URLError? = nil) {
        let receive = receiveEvents.withLock { $0.take() }
        let chunks = content.isEmpty ? [] : [content]
        receive?(TransportEvents(head: head, chunks: chunks, outcome: TransportOutcome(error: error)))
    }

    private func fail(_ connection: any TransportConnection, _ error: URLError) {
        phase.withLock { $0 = .ended }
        connection.cancel()
        deliver(error: error)
    }

    private func ended(_ error: URLError?) {
        let phase = phase.withLock { phase in
            // Releases the session, which retains the connection, which retains this exchange.
            defer { phase = .ended }
            return phase
        }
        releaseConnection()
        switch phase {
        case .open(let session): session.ended(error)
        case .ended: break
        case .connecting, .awaitingResponse:
            if case .awaitingResponse(_, let response) = phase, error == nil, let head = response.head,
                let content = response.content(isAtEnd: true, limit: Self.maximumContent)
            {
                return deliver(head, content)
            }
            let reason = "the connection was closed before the response to the handshake was complete"
            let failure = isCancelled ? URLError(.cancelled) : error ?? URLError(.networkConnectionLost, reason)
            deliver(error: failure)
        }
    }
}

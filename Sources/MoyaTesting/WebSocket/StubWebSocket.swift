public import Foundation
public import Moya
import MoyaScheduling
public import MoyaWebSocket

/// A WebSocket of a ``StubWebSocketTransport``, as its server sees it; may be used from any thread.
///
/// Its methods do nothing after the end of the connection.
public final class StubWebSocket: Sendable {
    /// What only a step uses.
    private struct State: Sendable {
        var handshake = Data()
        var isOpen = false
        var parser = FrameParser(.server)
        var receivedBytes: Int64 = 0
        var hasSentClose = false
    }

    private struct Record: Sendable {
        var messages: [WebSocketMessage] = []
        var closeCode: WebSocketCloseCode?
        var closeReason = ""
        var answersPings = true
        // The closures are released at the end, because they retain the client, the transport and this socket.
        var handler: (@Sendable (WebSocketMessage) -> Void)?
        var client: (@Sendable (ConnectionEvent) -> Void)?
        var reply: (@Sendable (StubWebSocket) -> StubWebSocketTransport.Reply)?
        /// The delayed steps.
        var timers: [any Cancellable] = []
    }

    /// The request of the handshake.
    public let request: TransportRequest
    private let scheduler: any Scheduler
    private let record: Locked<Record>
    private let cancelled = OneShotFlag()
    /// Performs one step at a time, in order, although a step calls the client, which may send within the call.
    private let steps = DrainLoop<State, @Sendable (inout State) -> Void>(State()) { state, step in step(&state) }

    init(
        _ request: TransportRequest, on scheduler: any Scheduler,
        _ client: @escaping @Sendable (ConnectionEvent) -> Void,
        reply: @escaping @Sendable (StubWebSocket) -> StubWebSocketTransport.Reply
    ) {
        self.request = request
        self.scheduler = scheduler
        record = Locked(Record(client: client, reply: reply))
    }

    /// The messages of the client so far.
    public var messages: [WebSocketMessage] { record.withLock { $0.messages } }

    /// The code and the reason of the client's close frame; `nil` before it.
    public var closure: (code: WebSocketCloseCode, reason: String)? {
        record.withLock { record in record.closeCode.map { ($0, record.closeReason) } }
    }

    /// Sets the closure that is called with each message of the client, instead of an earlier one.
    public func onMessage(_ handler: @escaping @Sendable (WebSocketMessage) -> Void) {
        record.withLock { if $0.client != nil { $0.handler = handler } }
    }

    /// Sends a message, after a delay if there is one.
    public func send(_ message: WebSocketMessage, after delay: Duration? = nil) {
        write(FrameWriter.frame(message, mask: []), after: delay)
    }

    /// Sends a close frame; the connection ends when the client has answered.
    public func close(_ code: WebSocketCloseCode = .normal, reason: String = "", after delay: Duration? = nil) {
        perform(after: delay) { [self] in sendClose(code, reason, &$0) }
    }

    /// Ends the connection without a close frame, with an error if there is one.
    public func disconnect(_ error: URLError? = nil, after delay: Duration? = nil) {
        perform(after: delay) { [self] _ in end(error) }
    }

    /// Sends bytes unchanged, whether they are valid frames or not.
    public func write(_ bytes: Data, after delay: Duration? = nil) {
        perform(after: delay) { [self] _ in emit(.received(bytes)) }
    }

    /// Answers no further ping, as if the network were gone.
    public func ignorePings() { record.withLock { $0.answersPings = false } }

    func open(after delay: Duration?) { perform(after: delay) { [self] _ in emit(.opened(self)) } }

    private func perform(after delay: Duration? = nil, _ step: @escaping @Sendable (inout State) -> Void) {
        guard let delay else { return steps.submit(step) }
        let timer = scheduler.schedule(after: delay) { [steps] in steps.submit(step) }
        let isOpen = record.withLock { record in
            if record.client != nil { record.timers.append(timer) }
            return record.client != nil
        }
        if !isOpen { timer.cancel() }
    }

    private func emit(_ event: ConnectionEvent) { record.withLock { $0.client }?(event) }

    private func end(_ error: URLError?) {
        let (client, reply, handler, timers) = record.withLock { record in
            (record.client.take(), record.reply.take(), record.handler.take(), exchange(&record.timers, with: []))
        }
        for timer in timers { timer.cancel() }
        client?(.ended(error))
        withExtendedLifetime((reply, handler)) {}
    }

    private func sendClose(_ code: WebSocketCloseCode, _ reason: String, _ state: inout State) {
        guard !exchange(&state.hasSentClose, with: true) else { return }
        emit(.received(FrameWriter.close(code, reason, mask: [])))
    }

    private func receive(_ bytes: Data, _ state: inout State) {
        state.receivedBytes += Int64(bytes.count)
        emit(.sent(state.receivedBytes))
        guard state.isOpen else { return receiveHandshake(bytes, &state) }
        var inputs: [WebSocketInput] = []
        var violation: WebSocketViolation?
        do throws(WebSocketViolation) {
            try state.parser.parse(bytes) { inputs.append($0) }
        } catch {
            violation = error
        }
        for input in inputs { handle(input, &state) }
        guard let violation else { return }
        sendClose(violation.code, violation.reason, &state)
        end(nil)
    }

    private func handle(_ input: WebSocketInput, _ state: inout State) {
        switch input {
        case .message(let message):
            let handler = record.withLock { record in
                record.messages.append(message)
                return record.handler
            }
            handler?(message)
        case .ping(let content):
            guard record.withLock({ $0.answersPings }) else { return }
            emit(.received(FrameWriter.frame(.pong, content, mask: [])))
        case .pong: break
        case .close(let code, let reason):
            record.withLock { ($0.closeCode, $0.closeReason) = (code, reason) }
            sendClose(code, reason, &state)
            end(nil)
        }
    }

    private func receiveHandshake(_ bytes: Data, _ state: inout State) {
        state.handshake += bytes
        let text = String(decoding: state.handshake, as: UTF8.self)
        guard text.contains("\r\n\r\n"), let reply = record.withLock({ $0.reply.take() })?(self) else { return }
        switch reply {
        case .socket(let subprotocol, let body):
            state.isOpen = true
            let key = text.firstMatch(of: /(?i)\r\nsec-websocket-key: *([^\r]*)/)?.1 ?? ""
            emit(.received(LoopbackReply.upgrade(key: String(key), subprotocol)))
            body(self)
        case .response(let sample):
            switch sample.result {
            case .success(let response):
                var headers = response.headers
                headers["Content-Length"] = "\(response.data.count)"
                emit(.received(LoopbackReply.head(response.statusCode, headers) + response.data))
            case .failure(let failure):
                let error = failure.underlyingError
                end(error as? URLError ?? URLError(.cannotConnectToHost, "\(error ?? failure)"))
            }
        }
    }
}

extension StubWebSocket: TransportConnection {
    /// Whether the client has cancelled the connection.
    public var isCancelled: Bool { cancelled.isSet }

    /// Ends the connection, as the client does.
    public func cancel() {
        if cancelled.setIfUnset() { perform { [self] _ in end(URLError(.cancelled)) } }
    }

    package func send(_ bytes: Data) { perform { [self] in receive(bytes, &$0) } }

    package func acknowledge(_ bytes: Int) {}
}

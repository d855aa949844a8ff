import Foundation
import Moya
import Synchronization

// The state of an open WebSocket, between the thread of the connection and the tasks that send and receive.
final class WebSocketSession: Sendable {
    /// At this size of unread messages, the connection stops reading.
    private static let window = 256 << 10

    /// While more bytes than these are unsent, only one pong waits at a time.
    private static let pongLimit = 4096

    let subprotocol: String?
    private let connection: any TransportConnection
    private let options: WebSocketOptions
    private let scheduler: any Scheduler
    private let observation: WebSocketObservation?
    private let state: Locked<State>
    private let lastTicket = Atomic<Int64>(0)

    init(
        _ connection: any TransportConnection, _ options: WebSocketOptions, _ scheduler: any Scheduler,
        _ observation: WebSocketObservation?, subprotocol: String?, received: Data
    ) {
        self.connection = connection
        self.options = options
        self.scheduler = scheduler
        self.observation = observation
        self.subprotocol = subprotocol
        early = received
        state = Locked(State(parser: FrameParser(.client, maximumSize: options.maximumMessageSize)))
    }

    /// The bytes that arrived together with the response to the handshake.
    private let early: Data

    /// Begins to receive; `handshakeLength` bytes were already passed to the connection.
    func begin(handshakeLength: Int64) {
        state.withLock { $0.queued = handshakeLength }
        if let interval = options.pingInterval, interval > .zero {
            let pings = scheduler.schedule(every: interval, while: { [weak self] in self?.isOpen == true }) {
                [weak self] in self?.ping()
            }
            let isOver = state.withLock { state in
                if state.end == nil { state.pings = pings }
                return state.end != nil
            }
            if isOver { pings.cancel() }
        }
        if !early.isEmpty { process(early, acknowledged: 0) }
    }

    private func change(_ body: (inout State, inout Wakeups) -> Void) {
        var wakeups = Wakeups()
        state.withLock { body(&$0, &wakeups) }
        flush()
        wakeups.run(connection)
        if wakeups.startsCloseTimer { startCloseTimer() }
    }

    private func note(_ activity: WebSocketActivity.Kind, _ state: inout State) {
        if observation != nil { state.activities.append(activity) }
    }

    /// Passes frames to the connection and activities to the observers, in order and outside of the lock, because the
    /// connection may call this session.
    private func flush() {
        var isFlushing = false
        while true {
            let (frames, activities) = state.withLock { state -> ([Data], [WebSocketActivity.Kind]) in
                guard isFlushing || !state.isFlushing else { return ([], []) }
                state.isFlushing = !state.frames.isEmpty || !state.activities.isEmpty
                return (exchange(&state.frames, with: []), exchange(&state.activities, with: []))
            }
            if frames.isEmpty, activities.isEmpty { return }
            isFlushing = true
            for frame in frames { connection.send(frame) }
            for activity in activities { observation?.post(activity) }
        }
    }

    /// The server closes the connection first (RFC 6455, section 7.1.1); after this time, the client does.
    private func startCloseTimer() {
        let timer = scheduler.schedule(after: options.closeTimeout) { [weak self, connection, options] in
            let text = "the server did not answer the close frame within \(options.closeTimeout)"
            self?.ended(URLError(.timedOut, text))
            connection.cancel()
        }
        let isOver = state.withLock { state in
            if !state.hasEnded { state.closeTimer = timer }
            return state.hasEnded
        }
        if isOver { timer.cancel() }
    }

    func received(_ bytes: Data) { process(bytes, acknowledged: bytes.count) }

    private func process(_ bytes: Data, acknowledged: Int) {
        change { state, wakeups in
            state.hasReceivedSincePing = true
            state.unacknowledged += acknowledged
            var inputs = Queue<WebSocketInput>()
            do throws(WebSocketViolation) {
                try state.parser.parse(bytes) { inputs.append($0) }
                while let input = inputs.popFirst() { handle(input, &state, &wakeups) }
            } catch {
                while let input = inputs.popFirst() { handle(input, &state, &wakeups) }
                if state.end == nil {
                    if !state.hasSentClose { sendClose(error.code, "", &state, &wakeups) }
                    let failure = WebSocketError.invalidMessage(error.reason)
                    finish(.failed(.underlying(failure, nil)), &state, &wakeups)
                }
            }
            let isOver = state.end != nil || state.hasSentClose
            wakeups.acknowledged += state.acknowledge(keeping: isOver ? 0 : state.size)
        }
    }

    private func handle(_ input: WebSocketInput, _ state: inout State, _ wakeups: inout Wakeups) {
        switch input {
        case .message(let message):
            // After the own close frame, the socket reads all until that of the server, but keeps no more than before.
            guard state.end == nil, !state.hasSentClose || state.size < Self.window else { return }
            state.messages.append(message)
            state.size += message.sizeOfFrame
            note(.received(bytes: message.size), &state)
            wakeups.consumer = state.consumer.take() ?? wakeups.consumer
        case .ping(let payload):
            guard !state.hasSentClose else { return }
            // Of the pings of a server that reads nothing, only the latest one is answered (RFC 6455, section 5.5.3).
            let mustWait = state.pongEnd > state.sent && state.queued - state.sent > Self.pongLimit
            if mustWait { state.nextPong = payload } else { sendPong(payload, &state) }
        case .pong: break
        case .close(let code, let reason):
            if !state.hasSentClose { sendClose(code, reason, &state, &wakeups) }
            finish(.closed(code, reason: reason), &state, &wakeups)
        }
    }

    private func sendPong(_ payload: Data, _ state: inout State) {
        send(FrameWriter.frame(.pong, payload, mask: FrameWriter.mask()), &state)
        state.pongEnd = state.queued
    }

    func sent(_ count: Int64) {
        change { state, wakeups in
            state.sent = count
            if state.pongEnd <= count, let payload = state.nextPong.take(), !state.hasSentClose {
                sendPong(payload, &state)
            }
            while let first = state.senders.head, first.end <= count {
                _ = state.senders.popFirst()
                note(.sent(bytes: first.size), &state)
                wakeups.senders.append((state.waiting.removeValue(forKey: first.ticket), true))
            }
        }
    }

    func ended(_ error: URLError?) {
        change { state, wakeups in
            state.hasEnded = true
            wakeups.timers += [state.closeTimer.take()].compactMap(\.self)
            let lost = "the server closed the connection without a close frame"
            let failure = error ?? URLError(.networkConnectionLost, lost)
            finish(.failed(.underlying(failure, nil)), &state, &wakeups)
        }
    }

    private func send(_ frame: Data, _ state: inout State) {
        state.queued += Int64(frame.count)
        state.frames.append(frame)
    }

    private func sendClose(
        _ code: WebSocketCloseCode, _ reason: String, _ state: inout State, _ wakeups: inout Wakeups
    ) {
        state.hasSentClose = true
        state.nextPong = nil
        wakeups.acknowledged += exchange(&state.unacknowledged, with: 0)
        send(FrameWriter.close(code, reason, mask: FrameWriter.mask()), &state)
        wakeups.startsCloseTimer = true
    }

    private func finish(_ end: End, _ state: inout State, _ wakeups: inout Wakeups) {
        guard state.end == nil else { return }
        state.end = end
        let (code, reason) = end.closure
        note(.closed(code, reason: reason, duration: .zero), &state)
        wakeups.consumer = state.consumer.take() ?? wakeups.consumer
        while let sender = state.senders.popFirst() {
            wakeups.senders.append((state.waiting.removeValue(forKey: sender.ticket), false))
        }
        wakeups.closers += state.closers
        state.closers = []
        wakeups.timers += [state.pings.take()].compactMap(\.self)
        if case .failed = end, !state.hasSentClose { wakeups.cancelsConnection = true }
    }

    /// Sends a ping, or ends the connection if nothing has arrived since the last one.
    private func ping() {
        change { state, wakeups in
            guard state.end == nil, !state.hasSentClose else { return }
            // While the loop is behind, the socket does not read, so no pong can arrive.
            let isBehind = state.unacknowledged >= Self.window
            // The last ping still waits behind a message that is being sent: the connection is alive.
            let waits =
                state.sent < state.pingEnd
                ? state.sent > exchange(&state.sentAtTick, with: state.sent)
                : exchange(&state.hasPingWaited, with: false)
            guard !waits else { return }
            guard exchange(&state.hasReceivedSincePing, with: isBehind) || isBehind else {
                let text = "nothing arrived for \(options.pingInterval ?? .zero) after a ping"
                return finish(.failed(.underlying(URLError(.timedOut, text), nil)), &state, &wakeups)
            }
            state.hasPingWaited = state.senders.head != nil
            send(FrameWriter.frame(.ping, [], mask: FrameWriter.mask()), &state)
            (state.pingEnd, state.sentAtTick) = (state.queued, state.sent)
        }
    }

    var end: End? { state.withLock { $0.end } }
    private var isOpen: Bool { end == nil }

    /// Sends a message; returns when its bytes were handed to the system.
    ///
    /// - Parameter onQueued: called when the message can no longer be taken back, also if the call fails later.
    func send(_ message: WebSocketMessage, onQueued: () -> Void = {}) async throws(MoyaError) {
        if Task.isCancelled { throw .underlying(URLError(.cancelled), nil) }
        let frame = FrameWriter.frame(message, mask: FrameWriter.mask())
        let ticket = lastTicket.wrappingAdd(1, ordering: .relaxed).newValue
        let isSent = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOpen = state.withLock { state in
                    guard state.end == nil, !state.hasSentClose else { return false }
                    send(frame, &state)
                    state.senders.append(Sender(end: state.queued, size: message.size, ticket: ticket))
                    state.waiting[ticket] = continuation
                    return true
                }
                if isOpen {
                    onQueued()
                    flush()
                } else {
                    continuation.resume(returning: false)
                }
                if Task.isCancelled { stopWaiting(ticket) }
            }
        } onCancel: {
            stopWaiting(ticket)
        }
        guard !isSent else { return }
        if case .failed(let error) = end { throw error }
        if Task.isCancelled, isOpen { throw .underlying(URLError(.cancelled), nil) }
        throw .underlying(WebSocketError.notOpen, nil)
    }

    /// Ends the wait of a call; its message is sent nevertheless, because a frame must be complete.
    private func stopWaiting(_ ticket: Int64) {
        state.withLock { $0.waiting.removeValue(forKey: ticket) }?.resume(returning: false)
    }

    /// Sends a close frame, and waits for that of the server.
    func close(_ code: WebSocketCloseCode, _ reason: String) async {
        startClosing(code, reason)
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.end == nil { state.closers.append(continuation) }
                return state.end != nil
            }
            if isOver { continuation.resume() }
        }
    }

    func startClosing(_ code: WebSocketCloseCode, _ reason: String) {
        change { state, wakeups in
            guard state.end == nil, !state.hasSentClose else { return }
            state.closedLocally = true
            sendClose(code.isSendable ? code : .normal, reason, &state, &wakeups)
        }
    }

    /// Closes a socket that nothing uses any more.
    func drop() {
        startClosing(.goingAway, "")
        change { state, wakeups in
            finish(.closed(.goingAway, reason: ""), &state, &wakeups)
            state.messages = Queue()
            wakeups.acknowledged += exchange(&state.unacknowledged, with: 0)
        }
    }

    /// Returns whether the caller is the only consumer of the messages.
    func beginConsuming() -> Bool {
        state.withLock { state in
            defer { state.hasConsumer = true }
            return !state.hasConsumer
        }
    }

    func endConsuming() { state.withLock { $0.hasConsumer = false } }

    /// Returns the next message, or `nil` after a normal close, or if the task is cancelled, which closes the socket.
    func next() async throws(MoyaError) -> WebSocketMessage? {
        while true {
            if Task.isCancelled {
                startClosing(.goingAway, "")
                return nil
            }
            var wakeups = Wakeups()
            let (message, end, closedLocally) = state.withLock { state -> (WebSocketMessage?, End?, Bool) in
                guard let message = state.messages.popFirst() else { return (nil, state.end, state.closedLocally) }
                state.size -= message.sizeOfFrame
                // Each acknowledgement is a message to the connection's thread.
                if state.messages.isEmpty || state.unacknowledged - state.size >= Self.window / 2 {
                    wakeups.acknowledged = state.acknowledge(keeping: state.size)
                }
                return (message, nil, false)
            }
            wakeups.run(connection)
            if let message { return message }
            switch end {
            case .closed(let code, let reason):
                guard !closedLocally, ![.normal, .goingAway, .noStatus].contains(code) else { return nil }
                throw .underlying(WebSocketError.closed(code, reason: reason), nil)
            case .failed(let error):
                if closedLocally { return nil }
                throw error
            case nil: break
            }
            await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let mustWait = state.withLock { state in
                        guard state.messages.isEmpty, state.end == nil else { return false }
                        state.consumer = continuation
                        return true
                    }
                    if !mustWait || Task.isCancelled { wakeConsumer(orResume: mustWait ? nil : continuation) }
                }
            } onCancel: {
                startClosing(.goingAway, "")
                wakeConsumer(orResume: nil)
            }
        }
    }

    private func wakeConsumer(orResume other: CheckedContinuation<Void, Never>?) {
        if let other { return other.resume() }
        state.withLock { $0.consumer.take() }?.resume()
    }
}

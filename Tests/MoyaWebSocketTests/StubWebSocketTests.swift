import Foundation
import MoyaCaching
import MoyaRecording
import MoyaStreams
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

/// WebSockets without a network, in virtual time.
@Suite(.queued, .timeLimit(.minutes(10))) struct StubWebSocketTests {
    private struct Chat: RelativeTarget {
        var path = "/chat"
    }

    private let time = VirtualTime()

    private func provider(
        _ reply: @escaping @Sendable (TransportRequest) -> StubWebSocketTransport.Reply
    ) -> (MoyaProvider<Chat>, StubWebSocketTransport) {
        let transport = StubWebSocketTransport(on: time, reply: reply)
        let url = URL(string: "https://chat.example")
        let provider = MoyaProvider<Chat>(baseURL: url, transport: transport, scheduler: time)
        return (provider, transport)
    }

    private static func describe(_ event: WebSocketEvent) -> String {
        switch event {
        case .opened: "opened"
        case .message(.text(let text)): text
        case .message(.data(let data)): "\(data.count) bytes"
        case .closed(let code, let reason): "closed \(code.rawValue) \(reason)"
        }
    }

    @Test("a provider of several types of targets opens their sockets")
    func anyTarget() throws {
        let transport = StubWebSocketTransport(on: time) { _ in .socket { $0.close(.normal) } }
        let provider = MoyaProvider<MultiTarget>(
            baseURL: URL(string: "https://chat.example"), transport: transport, scheduler: time)
        try time.run { () throws in
            for try await _ in try await provider.webSocket(Chat()).messages {}
            for try await _ in provider.webSocketEvents(Chat(), on: time).values {}
        }
        expectEqual(transport.sockets.count, 2)
    }

    @Test("messages are sent and received, and both sides know the close")
    func messages() throws {
        let (provider, transport) = provider { request in
            .socket(subprotocol: "v2") { socket in
                socket.send(.text(request.url.absoluteString))
                socket.onMessage { socket.send($0) }
            }
        }
        let received = try time.run { () throws in
            let socket = try await provider.webSocket(Chat(), options: WebSocketOptions(subprotocols: ["v1", "v2"]))
            expectEqual(socket.subprotocol, "v2")
            try await socket.send(.text("a"))
            try await socket.send(.data(Data(repeating: 1, count: 100_000)))
            var received: [WebSocketMessage] = []
            for try await message in socket.messages {
                received.append(message)
                if received.count == 3 { break }
            }
            await socket.close(.goingAway, reason: "bye")
            expectEqual(socket.closure?.code, .goingAway)
            return received
        }
        let sent: [WebSocketMessage] = [.text("a"), .data(Data(repeating: 1, count: 100_000))]
        expectEqual(received, [.text("https://chat.example/chat")] + sent)
        expectEqual(transport.sockets.map(\.messages), [sent])
        expectEqual(transport.sockets.first?.closure?.code, .goingAway)
        expectEqual(transport.sockets.first?.closure?.reason, "bye")
    }

    @Test("each connection of a stream is made in the trace of the subscriber")
    func trace() {
        let traces = Box<[TraceContext?]>([])
        let (provider, _) = provider { request in
            traces.change { $0.append(request.callContext as? TraceContext) }
            return traces.value.count < 3 ? .response(.status(503)) : .socket { $0.close(.normal) }
        }
        let trace = TraceContext.root(isSampled: true)
        let events = TraceContext.$current.withValue(trace) {
            time.record(provider.webSocketEvents(Chat(), reconnecting: .constant(.seconds(1), times: 3), on: time))
        }
        time.run()
        #expect(events.isCompleted)
        expectEqual(traces.value, [trace, trace, trace])
    }

    @Test("7b-12: a stream reconnects to the millisecond; Retry-After of a refusal replaces a shorter delay")
    func reconnects() throws {
        let attempts = Box(0)
        let (provider, transport) = provider { _ in
            attempts.change { $0 += 1 }
            switch attempts.value {
            case 1:
                return .socket { socket in
                    socket.send(.text("a"), after: .milliseconds(10))
                    socket.disconnect(after: .milliseconds(20))
                }
            case 2: return .response(.status(503, headers: ["Retry-After": "7"]))
            case 3: return .response(.networkError(URLError(.cannotConnectToHost)))
            default:
                return .socket { socket in
                    socket.onMessage { message in
                        socket.send(message)
                        socket.close(.normal, reason: "bye", after: .milliseconds(5))
                    }
                }
            }
        }
        let (outgoing, emitter) = Signal<WebSocketMessage>.pipe()
        let policy = RetryPolicy.exponential(initial: .seconds(1), times: 3, jitter: .none)
        let events = time.record(
            provider.webSocketEvents(
                Chat(), sending: outgoing, reconnecting: policy, on: time, options: .init(pingInterval: nil)
            ).map(Self.describe))
        time.advance(by: .seconds(2))
        emitter.send(.text("queued"))
        time.advance(by: .seconds(20))
        expectEqual(
            events.elements, ["opened", "a", "closed 1006 ", "opened", "queued", "closed 1000 bye"])
        // 20 ms, then 1 s, 7 s as the server wishes, and 4 s.
        let times = events.events.map(\.time)
        expectEqual(times, [0, 10, 20, 12_020, 12_020, 12_025, 12_025].map { .milliseconds($0) })
        expectEqual(transport.sockets.map(\.messages), [[], [.text("queued")]])
        #expect(time.leftovers.isEmpty)
    }

    @Test("what onOpen sends precedes the waiting messages, on each connection; its error is that of the connection")
    func onOpen() {
        let (provider, transport) = provider { _ in
            .socket { socket in socket.onMessage { if $0 == .text("waiting") { socket.disconnect() } } }
        }
        let (outgoing, emitter) = Signal<WebSocketMessage>.pipe()
        let fails = Box(false)
        let policy = RetryPolicy.constant(.seconds(1), times: 2)
        let events = time.record(
            provider.webSocketEvents(Chat(), sending: outgoing, reconnecting: policy, on: time) { socket in
                if fails.value { throw Failure(id: 9) }
                try await socket.send(.text("login"))
            })
        emitter.send(.text("waiting"))
        time.advance(by: .seconds(1))
        fails.value = true
        emitter.send(.text("waiting"))
        time.advance(by: .seconds(5))
        expectEqual(
            transport.sockets.map(\.messages),
            [
                [.text("login"), .text("waiting")], [.text("login"), .text("waiting")], [],
            ])
        expectEqual(transport.sockets.last?.closure?.code, .goingAway)
        expectEqual((events.error as? MoyaError)?.underlyingError as? Failure, Failure(id: 9))
    }

    @Test("R12: onOpen is not called if the observer cancels at the opening, which closes the socket")
    func cancelAtOpening() {
        let (provider, transport) = provider { _ in .socket { _ in } }
        let calls = Box(0)
        let events = time.record(
            provider.webSocketEvents(Chat(), on: time) { _ in calls.change { $0 += 1 } }.take(1))
        time.advance(by: .seconds(1))
        expectEqual(events.elements.map(Self.describe), ["opened"])
        expectEqual(calls.value, 0)
        expectEqual(transport.sockets.map(\.closure?.code), [.goingAway])
    }

    @Test("a socket that ends while onOpen sends is reported as it ended", arguments: ["1008", "1000", "lost"])
    func endsInOnOpen(_ end: String) {
        let (provider, transport) = provider { _ in
            .socket { socket in
                socket.onMessage { _ in
                    if end == "lost" { return socket.disconnect() }
                    socket.close(end == "1008" ? .policyViolation : .normal)
                }
            }
        }
        let policy = RetryPolicy.constant(.seconds(1), times: 1)
        let events = time.record(
            provider.webSocketEvents(Chat(), reconnecting: policy, on: time) { socket in
                for text in ["login", "subscribe"] { try await socket.send(.text(text)) }
            })
        time.advance(by: .seconds(9))
        let codes = events.elements.compactMap { if case .closed(let code, _) = $0 { code.rawValue } else { nil } }
        switch end {
        case "1008":
            expectEqual(codes, [1008])
            expectEqual((events.error as? MoyaError)?.webSocketError, .closed(.policyViolation, reason: ""))
        case "1000":
            expectEqual(codes, [1000])
            #expect(events.isCompleted)
        default:
            expectEqual(codes, [1006, 1006])
            expectEqual((events.error as? MoyaError)?.kind, .connectionLost)
        }
        expectEqual(transport.sockets.count, codes.count)
    }

    @Test("a server that accepts and closes at once ends the retries; a connection of half a minute begins them again")
    func retries() {
        let delay = Box(Duration.zero)
        let (provider, transport) = provider { _ in
            .socket { $0.close(WebSocketCloseCode(rawValue: 4001), after: delay.value) }
        }
        let policy = RetryPolicy.constant(.milliseconds(100), times: 3)
        let events = time.record(provider.webSocketEvents(Chat(), reconnecting: policy, on: time))
        time.advance(by: .seconds(60))
        expectEqual(transport.sockets.count, 4)
        expectEqual(
            (events.error as? MoyaError)?.webSocketError, .closed(WebSocketCloseCode(rawValue: 4001), reason: ""))
        delay.value = .seconds(31)
        let longer = time.record(provider.webSocketEvents(Chat(), reconnecting: policy, on: time))
        time.advance(by: .seconds(400))
        #expect(longer.error == nil)
        #expect(transport.sockets.count > 4 + 8)
    }

    @Test("a refusal that wants a longer delay than a minute ends the stream")
    func longRetryAfter() {
        let (provider, _) = provider { _ in .response(.status(503, headers: ["Retry-After": "61"])) }
        let events = time.record(provider.webSocketEvents(Chat(), reconnecting: RetryPolicy(times: 9), on: time))
        time.advance(by: .seconds(1))
        expectEqual((events.error as? MoyaError)?.response?.statusCode, 503)
    }

    @Test("T7: what the server would have sent later leaves nothing when the connection has ended")
    func cancelsDelayedSteps() throws {
        let (provider, _) = provider { _ in .socket { $0.send(.text("late"), after: .seconds(60)) } }
        let events = time.record(provider.webSocketEvents(Chat(), on: time).map(Self.describe))
        time.advance(by: .seconds(1))
        events.cancel()
        time.advance(by: .seconds(10))
        #expect(time.leftovers.isEmpty)
    }

    @Test("7b-7: a server that answers no ping is lost after two intervals")
    func pings() throws {
        let (provider, transport) = provider { _ in .socket { $0.send(.text("hi")) } }
        let events = time.record(provider.webSocketEvents(Chat(), on: time).map(Self.describe))
        time.advance(by: .seconds(65))
        expectEqual(events.elements, ["opened", "hi"])
        transport.sockets.first?.ignorePings()
        time.advance(by: .seconds(34))
        expectEqual(events.elements.count, 2)
        time.advance(by: .seconds(1))
        expectEqual(events.elements.last, "closed 1006 ")
        expectEqual((events.error as? MoyaError)?.kind, .timeout)
        #expect(transport.sockets.first?.isCancelled == true)
    }

    @Test("7b-6: a close frame that the server writes as bytes is answered, and leaves no timer")
    func closeByBytes() throws {
        let (provider, transport) = provider { _ in .socket { _ in } }
        let time = time
        let socket = try time.run { try await provider.webSocket(Chat()) }
        // The client has sent no close frame, so this one begins the closing handshake.
        transport.sockets.first?.write(Data([0x88, 2, 3, 0xe8]))
        expectEqual(socket.closure?.code, .normal)
        expectEqual(transport.sockets.first?.closure?.code, .normal)
        time.advance(by: .seconds(5))
        #expect(time.leftovers.isEmpty)
    }

    @Test("cancelling the stream closes the socket with 1001, and a delayed connection is never made")
    func cancels() {
        let (provider, transport) = provider { _ in .socket { _ in } }
        let subscription = provider.webSocketEvents(Chat(), on: time).subscribeNext { _ in }
        time.advance(by: .seconds(1))
        subscription.cancel()
        time.advance(by: .seconds(1))
        expectEqual(transport.sockets.first?.closure?.code, .goingAway)
        let slow = StubWebSocketTransport(after: .seconds(3), on: time) { _ in .socket { _ in } }
        let other = MoyaProvider<Chat>(baseURL: URL(string: "wss://chat.example"), transport: slow, scheduler: time)
        let early = other.webSocketEvents(Chat(), on: time).subscribeNext { _ in }
        time.advance(by: .seconds(1))
        early.cancel()
        time.advance(by: .seconds(5))
        #expect(slow.sockets.isEmpty)
        #expect(time.leftovers.isEmpty)
    }

    @Test("a request that opens no WebSocket fails, and says so")
    func otherRequests() throws {
        let (provider, _) = provider { _ in .socket { _ in } }
        let error = #expect(throws: MoyaError.self) { try time.run { try await provider.response(Chat()) } }
        #expect(error.map { "\($0)" }?.contains("with webSocket(_:)") == true)
    }

    @Test("a cache, a recorder and a trace around the transport leave the socket as it is, and see the handshake")
    func decorators() throws {
        let stub = StubWebSocketTransport(on: time) { request in
            .socket { socket in
                socket.send(.text(request.headers["traceparent"] ?? "no trace"))
                socket.onMessage { socket.send($0) }
            }
        }
        let recorder = HARRecorder()
        let transport = FollowUpTransport(above: stub).recording(recorder).propagatingTraces(to: ["chat.example"])
            .caching(in: HTTPCache())
        let url = URL(string: "https://chat.example")
        let provider = MoyaProvider<Chat>(baseURL: url, transport: transport, scheduler: time)
        let context = TraceContext.root(isSampled: true)
        let messages = try time.run { () throws in
            let socket = try await TraceContext.$current.withValue(context) { try await provider.webSocket(Chat()) }
            try await socket.send(.text("a"))
            var iterator = socket.messages.makeAsyncIterator()
            return [try await iterator.next(), try await iterator.next()].compactMap(\.self)
        }
        expectEqual(messages.last, .text("a"))
        #expect("\(messages)".contains(context.traceID))
        try expectEqual(recorder.archive().entries.map { $0.response?.statusCode }, [101])
    }

    private struct Recorder: WebSocketObserver {
        let log = Log()

        func observe(_ event: CallEvent) { log.add("\(event.kind)") }
        func observe(_ activity: WebSocketActivity) {
            log.add("\(activity.url.path()) \(activity.kind) at \(activity.socket > 0)")
        }
    }

    @Test("observers see the handshake, the size of each message, and the end")
    func observers() throws {
        let stub = StubWebSocketTransport(after: .milliseconds(3), on: time) { _ in
            .socket { socket in
                socket.onMessage { message in
                    socket.send(message, after: .milliseconds(4))
                    socket.close(.goingAway, reason: "secret", after: .milliseconds(5))
                }
            }
        }
        let recorder = Recorder()
        let url = URL(string: "https://chat.example")
        let provider = MoyaProvider<Chat>(
            baseURL: url, transport: stub, scheduler: time, observers: [recorder])
        try time.run { () throws in
            let socket = try await provider.webSocket(Chat())
            try await socket.send(.text("ü"))
            for try await _ in socket.messages {}
        }
        time.advance(by: .zero)
        expectEqual(
            recorder.log.entries,
            [
                "started", "sending GET https://chat.example/chat", "receiving 101",
                "exchanged GET https://chat.example/chat: 101 in 0.003 seconds", "ended with 101 in 0.003 seconds",
                "/chat sent 2 bytes at true",
                "/chat received 2 bytes at true", "/chat closed with 1001 after 0.005 seconds at true",
            ])
    }

    @Test("a throttled transport cannot open a WebSocket, and says so")
    func throttled() throws {
        let (_, stub) = provider { _ in .socket { _ in } }
        let transport = stub.throttled(to: .threeG, on: time)
        let provider = MoyaProvider<Chat>(
            baseURL: URL(string: "https://chat.example"), transport: transport, scheduler: time)
        let error = #expect(throws: MoyaError.self) { try time.run { try await provider.webSocket(Chat()) } }
        #expect(error.map { "\($0)" }?.contains("ThrottledTransport") == true)
        // A cache around the transport is not the reason.
        let cached = MoyaProvider<Chat>(
            baseURL: URL(string: "https://chat.example"), transport: transport.caching(in: HTTPCache()), scheduler: time
        )
        let other = #expect(throws: MoyaError.self) { try time.run { try await cached.webSocket(Chat()) } }
        #expect(other.map { "\($0)" }?.contains("ThrottledTransport cannot") == true)
    }

    @Test("nothing retains a transport and its sockets after their end")
    func released() throws {
        weak var transport: StubWebSocketTransport?
        weak var socket: StubWebSocket?
        try {
            let (provider, stub) = provider { _ in .socket { socket in socket.onMessage { socket.send($0) } } }
            (transport, socket) = (stub, nil)
            let client = try time.run { try await provider.webSocket(Chat()) }
            socket = stub.sockets.first
            #expect(client.closure == nil)
        }()
        #expect(transport == nil)
        time.advance(by: .seconds(10))
        #expect(socket == nil)
    }
}

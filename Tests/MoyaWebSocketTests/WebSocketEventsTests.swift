import Foundation
import MoyaStreams
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

#if os(Linux)
    @Suite(.queued, .timeLimit(.minutes(10))) struct WebSocketEventsTests {
        private struct Chat: Codable, Hashable {
            var text: String
        }

        private func describe(_ event: WebSocketEvent) -> String {
            switch event {
            case .opened: "opened"
            case .message(.text(let text)): text
            case .message(.data(let data)): "\(data.count) bytes"
            case .closed(let code, let reason): "closed \(code.rawValue) \(reason)"
            }
        }

        /// Runs the code that is due on a clock until a condition is true.
        private func moving(_ time: VirtualTime, until condition: @escaping @Sendable () -> Bool) async throws {
            try await until {
                time.advance(by: .zero)
                return condition()
            }
        }

        @Test("a value is encoded on the actor of the caller")
        @MainActor func encodesOnTheActor() async throws {
            struct Draft: Encodable {
                static let key = DispatchSpecificKey<Bool>()
                let isOnMainQueue: Box<Bool?>
                func encode(to encoder: any Encoder) throws {
                    isOnMainQueue.value = DispatchQueue.getSpecific(key: Self.key) ?? false
                    try "text".encode(to: encoder)
                }
            }
            let server = try LoopbackServer { request in .webSocket(request) { socket in _ = socket.receive() } }
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            let isOnMainQueue = Box<Bool?>(nil)
            DispatchQueue.main.setSpecific(key: Draft.key, value: true)
            try await socket.send(json: Draft(isOnMainQueue: isOnMainQueue))
            expectEqual(isOnMainQueue.value, true)
            await socket.close()
        }

        @Test("values are sent and received as JSON")
        func json() async throws {
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    while let message = socket.receive() {
                        socket.send(message)
                        socket.send(.text("no JSON"))
                        socket.send(.data(Data(#"{"text":"b"}"#.utf8)))
                    }
                }
            }
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            try await socket.send(json: Chat(text: "a"))
            var received: [Chat] = []
            do throws(MoyaError) {
                for try await chat in socket.messages(as: Chat.self) { received.append(chat) }
                Issue.record("no error")
            } catch {
                expectEqual(error.kind, .decoding)
                expectEqual(error.response.flatMap { try? $0.mapString() }, "no JSON")
                #expect("\(error)".hasPrefix("GET \(server.url.absoluteString)"))
            }
            for try await chat in socket.messages(as: Chat.self) {
                received.append(chat)
                break
            }
            expectEqual(received, [Chat(text: "a"), Chat(text: "b")])
            await socket.close()
        }

        @Test("a stream opens a socket, sends, receives and completes")
        func events() async throws {
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    while let message = socket.receive() {
                        if message == .text("end") { return socket.close(.normal, reason: "bye") }
                        socket.send(message)
                    }
                }
            }
            defer { server.stop() }
            let (outgoing, emitter) = Signal<WebSocketMessage>.pipe()
            let provider = try MoyaProvider<Local>.overCurl()
            let log = Log()
            let hasCompleted = Promise<Void>()
            provider.webSocketEvents(Local(server), sending: outgoing).subscribe(
                onNext: { event in
                    log.add(describe(event))
                    if case .opened = event { for text in ["a", "b", "end"] { emitter.send(.text(text)) } }
                }, onCompleted: { hasCompleted.fulfill(()) })
            try await hasCompleted.value()
            expectEqual(log.entries, ["opened", "a", "b", "closed 1000 bye"])
            try await until { !outgoing.hasObservers }
        }

        @Test("7b-12: a lost connection is opened again, in virtual time, and waiting messages are sent then")
        func reconnects() async throws {
            let connections = Box(0)
            let received = Log()
            let server = try LoopbackServer { request in
                connections.change { $0 += 1 }
                switch connections.value {
                case 1, 2:
                    // Closes without a close frame, after a message.
                    return .webSocket(request) { socket in socket.send(.text("hello")) }
                case 3: return .status(503)
                default:
                    return .webSocket(request) { socket in
                        while let message = socket.receive() {
                            if case .text(let text) = message { received.add(text) }
                            socket.send(message)
                        }
                    }
                }
            }
            defer { server.stop() }
            let time = VirtualTime()
            let provider = try MoyaProvider<Local>.overCurl()
            let (outgoing, emitter) = Signal<WebSocketMessage>.pipe()
            let log = Log()
            let policy = RetryPolicy.exponential(initial: .seconds(1), times: 2, jitter: .none)
            let subscription = provider.webSocketEvents(
                Local(server), sending: outgoing, reconnecting: policy, on: time, options: .init(pingInterval: nil)
            ).subscribe(onNext: { log.add(describe($0)) }, onError: { log.add("\($0)") })
            try await moving(time) { log.entries.count == 3 }
            expectEqual(log.entries, ["opened", "hello", "closed 1006 "])
            expectEqual(time.leftovers.count, 1)
            expectEqual(connections.value, 1)
            time.advance(by: .seconds(1))
            try await moving(time) { log.entries.count == 6 && time.leftovers.count == 1 }
            // There is no connection, and the next one is refused.
            emitter.send(.text("queued"))
            // The first retry after an event waits for the first delay; 503 is retried after the second one.
            time.advance(by: .seconds(1))
            try await moving(time) { connections.value == 3 && time.leftovers.count == 1 }
            time.advance(by: .seconds(2))
            try await moving(time) { received.entries.last == "queued" }
            try await moving(time) { log.entries.last == "queued" }
            subscription.cancel()
            try await moving(time) { server.connectionCount == 0 }
            try await moving(time) { !outgoing.hasObservers }
        }

        @Test("7b-16: a message that is being sent when the server closes is not sent again")
        func sentOnce() async throws {
            let received = Log()
            let connections = Box(0)
            let server = try LoopbackServer { request in
                connections.change { $0 += 1 }
                let isFirst = connections.value == 1
                let reply = LoopbackReply.webSocket(request) { _ in }
                let play = LoopbackReply.Step.run { connection in
                    var parser = FrameParser(.server, maximumSize: 20 << 20)
                    var isOpen = true
                    while isOpen, let bytes = connection.read() {
                        // The message has begun.
                        if isFirst, received.entries.isEmpty {
                            received.add("begun")
                            connection.write(FrameWriter.close(WebSocketCloseCode(rawValue: 1012), "", mask: []))
                        }
                        try? parser.parse(bytes) { input in
                            if case .message(.data(let data)) = input { received.add("\(data.count)") }
                            if case .close = input { isOpen = false }
                        }
                    }
                    if isFirst { received.add("closed") }
                }
                return LoopbackReply(reply.steps.dropLast(2) + [play, .close])
            }
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl()
            let (outgoing, emitter) = Signal<WebSocketMessage>.pipe()
            let subscription = provider.webSocketEvents(
                Local(server), sending: outgoing, reconnecting: .constant(.milliseconds(1), times: 3)
            ).subscribeNext { _ in }
            defer { subscription.cancel() }
            emitter.send(.data(Data(count: 15_000_000)))
            try await until { connections.value == 2 }
            emitter.send(.data(Data(count: 1)))
            // The first connection is closed while the second one is open.
            try await until { Set(["1", "closed"]).isSubset(of: received.entries) }
            expectEqual(received.entries.sorted(), ["1", "15000000", "begun", "closed"])
        }

        @Test("7b-12: a refusal and the code 1008 are not retried", arguments: [403, 1008])
        func finalErrors(_ code: Int) async throws {
            let server = try LoopbackServer { request in
                guard code > 1000 else { return .status(code) }
                return .webSocket(request) { $0.close(.policyViolation) }
            }
            defer { server.stop() }
            let failure = Promise<any Error>()
            let time = VirtualTime()
            try MoyaProvider<Local>.overCurl()
                .webSocketEvents(Local(server), reconnecting: RetryPolicy(times: 5), on: time)
                .subscribe(onError: { failure.fulfill($0) })
            try await moving(time) { failure.isFulfilled }
            let error = try #require(try await failure.value() as? MoyaError)
            #expect(code == 403 ? error.response?.statusCode == 403 : error.webSocketError != nil)
            #expect(time.leftovers.isEmpty)
            expectEqual(server.requests.count, 1)
        }
    }
#endif

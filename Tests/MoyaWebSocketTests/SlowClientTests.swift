import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

#if os(Linux)
    /// Clients that read late, or are cancelled while much is on its way.
    @Suite(.queued, .timeLimit(.minutes(10))) struct SlowClientTests {
        private static let size = 65_536

        /// A server that sends 4 MiB and then waits for the close frame of the client.
        private func sending(_ closure: Promise<UInt16?>, afterMessage: Bool = false) throws -> LoopbackServer {
            try LoopbackServer { request in
                .webSocket(request) { socket in
                    if afterMessage { _ = socket.receive() }
                    for _ in 0..<64 { socket.send(.data(Data(count: Self.size))) }
                    while socket.receive() != nil {}
                    closure.fulfill(socket.closure?.code.rawValue)
                }
            }
        }

        @Test("7b-7, 8: a loop that is busy for longer than two pings loses no connection")
        func busyLoop() async throws {
            let time = VirtualTime()
            // What arrives together with the handshake does not count toward the window.
            let server = try sending(Promise(), afterMessage: true)
            defer { server.stop() }
            let log = Log()
            let observer = ActivityLog(log: log)
            let provider = try MoyaProvider<Local>.overCurl {
                $0.scheduler = time
                $0.observers = [observer]
            }
            let socket = try await provider.webSocket(Local(server))
            try await socket.send(.text("begin"))
            // The window is full when no more messages arrive: four fill it, and parts of others are read, too.
            let arrived = Box((count: 0, checks: 0))
            try await until {
                time.advance(by: .zero)
                let count = log.entries.count
                arrived.change { $0 = count == $0.count ? (count, $0.checks + 1) : (count, 0) }
                return count >= 5 && arrived.value.checks > 15
            }
            for _ in 0..<5 { time.advance(by: .seconds(20)) }
            var count = 0
            for try await _ in socket.messages {
                count += 1
                if count == 64 { break }
            }
            expectEqual(count, 64)
        }

        private struct ActivityLog: WebSocketObserver {
            let log: Log

            func observe(_ event: CallEvent) {}
            func observe(_ activity: WebSocketActivity) { log.add("\(activity.kind)") }
        }

        @Test("7b-6: a close reads past what is unread, to the close frame of the server")
        func closeBehindUnread() async throws {
            let closure = Promise<UInt16?>()
            let server = try sending(closure)
            defer { server.stop() }
            // The clock does not move, so the time limit of the close never ends.
            let provider = try MoyaProvider<Local>.overCurl { $0.scheduler = VirtualTime() }
            let socket = try await provider.webSocket(Local(server))
            for try await _ in socket.messages { break }
            await socket.close()
            expectEqual(socket.closure?.code, .normal)
            try await expectEqual(closure.value(), 1000)
            // What had arrived can still be read, within the window.
            var rest = 0
            for try await _ in socket.messages { rest += 1 }
            #expect(rest < 16)
        }

        @Test("7b-9: a cancelled loop ends although messages keep arriving")
        func cancelBehindMessages() async throws {
            let closure = Promise<UInt16?>()
            let server = try LoopbackServer { request in
                let reply = LoopbackReply.webSocket(request) { _ in }
                let play = LoopbackReply.Step.run { connection in
                    var parser = FrameParser(.server)
                    var code: UInt16?
                    let tick = FrameWriter.frame(.text("tick"), mask: [])
                    while code == nil {
                        for _ in 0..<100 { connection.write(tick) }
                        // The client sends nothing but its close frame.
                        guard !connection.isQuiet(for: .zero), let bytes = connection.read() else { continue }
                        try? parser.parse(bytes) { if case .close(let sent, _) = $0 { code = sent.rawValue } }
                    }
                    closure.fulfill(code)
                }
                return LoopbackReply(reply.steps.dropLast(2) + [play, .close])
            }
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            let received = Box(0)
            let task = Task { for try await _ in socket.messages { received.change { $0 += 1 } } }
            try await until { received.value > 500 }
            task.cancel()
            try await task.value
            try await expectEqual(closure.value(), 1001)
        }

        @Test("7b-9: a cancelled send stops waiting, and the socket stays whole")
        func cancelBehindSend() async throws {
            let mayRead = Promise<Void>()
            let sizes = Promise<[Int]>()
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    while !mayRead.isFulfilled {
                        _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
                    }
                    var received: [Int] = []
                    while case .data(let data)? = socket.receive() { received.append(data.count) }
                    sizes.fulfill(received)
                }
            }
            defer { server.stop() }
            let log = Log()
            let provider = try MoyaProvider<Local>.overCurl { $0.observers = [ActivityLog(log: log)] }
            let socket = try await provider.webSocket(Local(server))
            let task = Task { () async -> MoyaError? in
                do throws(MoyaError) {
                    try await socket.send(.data(Data(count: 15 << 20)))
                    return nil
                } catch { return error }
            }
            let behind = Task { try await socket.send(.data(Data(count: 1))) }
            task.cancel()
            await expectEqual(task.value?.kind, .cancelled)
            mayRead.fulfill(())
            try await behind.value
            await socket.close()
            // The message was begun or not, but the connection is in order.
            let received = try await sizes.value()
            #expect([[15 << 20, 1], [1, 15 << 20], [1]].contains(received))
            // What was sent is reported, whether its call was cancelled or not.
            try await until { log.entries.last?.hasPrefix("closed") == true }
            expectEqual(log.entries.dropLast(), received.map { "sent \($0) bytes" }[...])
        }
    }
#endif

import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

#if os(Linux)
    /// WebSockets of a provider over libcurl; the numbers are those of the design's edge cases.
    @Suite(.queued, .timeLimit(.minutes(10))) struct WebSocketTests {
        @Test("text and bytes of all lengths are echoed, in order")
        func echo() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server, "/chat"))
            expectEqual(socket.response.statusCode, 101)
            expectEqual(server.requests.first?.target, "/chat")
            let messages: [WebSocketMessage] =
                [.text(""), .text("hi ü€𝄞"), .data(Data()), .data(Data([0, 255]))]
                + [125, 126, 65_535, 65_536, 1 << 20].map { .data(Data(repeating: 7, count: $0)) }
            for message in messages { try await socket.send(message) }
            var received: [WebSocketMessage] = []
            for try await message in socket.messages {
                received.append(message)
                if received.count == messages.count { break }
            }
            expectEqual(received, messages)
            await socket.close(reason: "bye")
            expectEqual(socket.closure?.code, .normal)
            expectEqual(socket.closure?.reason, "bye")
            await #expect(throws: MoyaError.self) { try await socket.send(.text("late")) }
            try await until { server.connectionCount == 0 }
        }

        @Test("7b-4, 5: a violation of the server closes the socket with its code")
        func violations() async throws {
            let cases: [(Data, UInt16)] = [
                (Data([0xc1, 0]), 1002), (Data([0x81, 1, 0xff]), 1007),
                (Data([0x82, 127] + [UInt8](repeating: 1, count: 8)), 1009),
            ]
            for (bytes, code) in cases {
                let closure = Promise<UInt16?>()
                let server = try LoopbackServer { request in
                    .webSocket(request) { socket in
                        socket.write(bytes)
                        while socket.receive() != nil {}
                        closure.fulfill(socket.closure?.code.rawValue)
                    }
                }
                defer { server.stop() }
                let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
                let error = await #expect(throws: MoyaError.self) { for try await _ in socket.messages {} }
                if case .invalidMessage = error?.webSocketError {} else { Issue.record("\(String(describing: error))") }
                try await expectEqual(closure.value(), code)
                try await until { server.connectionCount == 0 }
            }
        }

        @Test("7b-7: pings keep a silent connection, and a missing pong is a timeout, in virtual time")
        func pings() async throws {
            let time = VirtualTime()
            let answers = Box(true)
            let pings = Box(0)
            let server = try LoopbackServer { request in
                let reply = LoopbackReply.webSocket(request) { _ in }
                return LoopbackReply(
                    reply.steps.dropLast(2) + [
                        .run { connection in
                            while let bytes = connection.read() {
                                guard bytes.first == 0x89 else { continue }
                                pings.change { $0 += 1 }
                                guard answers.value else { continue }
                                // The text tells the test that the pong was received.
                                connection.write(
                                    FrameWriter.frame(.pong, [], mask: [])
                                        + FrameWriter.frame(.text("\(pings.value)"), mask: []))
                            }
                        }
                    ])
            }
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl { $0.scheduler = time }
            let socket = try await provider.webSocket(Local(server), options: .init(pingInterval: .seconds(20)))
            do {
                var messages = socket.messages.makeAsyncIterator()
                for number in 1...3 {
                    time.advance(by: .seconds(20))
                    try await expectEqual(messages.next(), .text("\(number)"))
                }
            }
            answers.value = false
            let error = Promise<MoyaError?>()
            Task {
                do throws(MoyaError) {
                    for try await _ in socket.messages {}
                    error.fulfill(nil)
                } catch let failure { error.fulfill(failure) }
            }
            while !error.isFulfilled {
                time.advance(by: .seconds(20))
                await Task.yield()
            }
            try await expectEqual(error.value()?.kind, .timeout)
            try await until { server.connectionCount == 0 }
        }

        @Test("pings of the server are answered, with their content")
        func pongs() async throws {
            let pong = Promise<Data>()
            let server = try LoopbackServer { request in
                let reply = LoopbackReply.webSocket(request) { _ in }
                return LoopbackReply(
                    reply.steps.dropLast(2) + [
                        .run { connection in
                            var parser = FrameParser(.server)
                            connection.write(FrameWriter.frame(.ping, Data("are you there".utf8), mask: []))
                            while let bytes = connection.read() {
                                try? parser.parse(bytes) { if case .pong(let payload) = $0 { pong.fulfill(payload) } }
                            }
                        }
                    ])
            }
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            try await expectEqual(pong.value(), Data("are you there".utf8))
            #expect(socket.closure == nil)
        }

        @Test("7b-8: unread messages stop the server, and a slow server stops the sender")
        func backpressure() async throws {
            let (size, count) = (1 << 16, 320)
            let sent = Box(0)
            let mayRead = Promise<Void>()
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    if request.path == "/send" {
                        for _ in 0..<count {
                            socket.send(.data(Data(repeating: 1, count: size)))
                            sent.change { $0 += size }
                        }
                        socket.close()
                    } else {
                        while !mayRead.isFulfilled {
                            _ = DispatchSemaphore(value: 0).wait(timeout: .now() + .milliseconds(1))
                        }
                        while let message = socket.receive() {
                            if case .data(let data) = message { sent.change { $0 += data.count } }
                        }
                    }
                }
            }
            defer { server.stop() }
            // Unread messages.
            let reader = try await MoyaProvider<Local>.overCurl().webSocket(Local(server, "/send"))
            try await isStable { sent.value }
            #expect(sent.value < 14 << 20)
            var received = 0
            for try await message in reader.messages { if case .data(let data) = message { received += data.count } }
            expectEqual(received, size * count)
            // A server that does not read.
            sent.value = 0
            let writer = try await MoyaProvider<Local>.overCurl().webSocket(Local(server, "/receive"))
            let handed = Box(0)
            let task = Task {
                for _ in 0..<count {
                    try await writer.send(.data(Data(repeating: 2, count: size)))
                    handed.change { $0 += size }
                }
                await writer.close()
            }
            try await isStable { handed.value }
            #expect(handed.value < 14 << 20)
            mayRead.fulfill(())
            try await task.value
            expectEqual(sent.value, size * count)
        }

        /// Waits until a number is not 0 and has not changed for a while.
        private func isStable(_ number: @escaping @Sendable () -> Int) async throws {
            let (last, equal) = (Box(0), Box(0))
            try await until {
                let now = number()
                equal.value = now == last.value && now > 0 ? equal.value + 1 : 0
                last.value = now
                return equal.value >= 15
            }
        }

        @Test("7b-9: a cancelled task, and a dropped socket, close the connection with code 1001")
        func cancels() async throws {
            let codes = LockedCodes()
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    while socket.receive() != nil {}
                    codes.add(socket.closure?.code.rawValue)
                }
            }
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            let task = Task { for try await _ in socket.messages {} }
            task.cancel()
            try await task.value
            try await until { codes.all == [1001] }
            var dropped: WebSocket? = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            #expect(dropped != nil)
            dropped = nil
            try await until { codes.all == [1001, 1001] }
            try await until { server.connectionCount == 0 }
        }

        @Test("7b-16: there is one loop over the messages at a time")
        func oneConsumer() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            do {
                var first = socket.messages.makeAsyncIterator()
                var second = socket.messages.makeAsyncIterator()
                try await socket.send(.text("a"))
                try await expectEqual(first.next(), .text("a"))
                let error = await #expect(throws: MoyaError.self) { try await second.next() }
                #expect(error?.localizedDescription.contains("Another loop") == true)
            }
            // Left loops can be continued.
            try await socket.send(.text("b"))
            for try await message in socket.messages {
                expectEqual(message, .text("b"))
                break
            }
            await socket.close()
        }

        @Test("7b-16: messages of several tasks arrive whole")
        func concurrentSends() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
            let expected = Set((0..<40).map { Data(repeating: UInt8($0), count: 1000 * $0) })
            try await withThrowingTaskGroup(of: Void.self) { group in
                for data in expected { group.addTask { try await socket.send(.data(data)) } }
                try await group.waitForAll()
            }
            var received = Set<Data>()
            for try await message in socket.messages {
                if case .data(let data) = message { received.insert(data) }
                if received.count == expected.count { break }
            }
            expectEqual(received, expected)
        }

        @Test("a close that the server does not answer ends after its time, in virtual time")
        func closeTimeout() async throws {
            let server = try LoopbackServer { request in
                let reply = LoopbackReply.webSocket(request) { _ in }
                return LoopbackReply(reply.steps.dropLast(2) + [.run { while $0.read() != nil {} }])
            }
            defer { server.stop() }
            let time = VirtualTime()
            let provider = try MoyaProvider<Local>.overCurl { $0.scheduler = time }
            let socket = try await provider.webSocket(Local(server), options: .init(pingInterval: nil))
            let isClosed = Promise<Void>()
            Task {
                await socket.close()
                isClosed.fulfill(())
            }
            while !isClosed.isFulfilled {
                time.advance(by: .seconds(5))
                await Task.yield()
            }
            expectEqual(socket.closure?.code, .abnormal)
            try await until { server.connectionCount == 0 }
        }

        @Test("7b-9: sockets that are opened while the transport shuts down end as well")
        func shutdownWhileOpening() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            for _ in 0..<20 {
                let transport = try CurlTransport(threads: 1)
                let provider = MoyaProvider<Local>(transport: transport)
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask {
                            if number == 4 { return transport.shutdown() }
                            let socket = try? await provider.webSocket(Local(server))
                            _ = try? await socket?.send(.text("a"))
                        }
                    }
                }
            }
            try await until { server.connectionCount == 0 }
        }

        @Test("a scheduler that runs its work at once does not block a close")
        func immediateScheduler() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl {
                $0.scheduler = .immediate
                $0.timeouts = Timeouts(idle: nil)
            }
            let socket = try await provider.webSocket(Local(server), options: .init(pingInterval: nil))
            await socket.close()
            #expect(socket.closure != nil)
            try await until { server.connectionCount == 0 }
        }

        @Test("7b-14: 200 sockets at once, and a shutdown that ends them")
        func many() async throws {
            let server = try LoopbackServer.echoingWebSockets()
            defer { server.stop() }
            let transport = try CurlTransport(threads: 1)
            let provider = MoyaProvider<Local>(transport: transport)
            let sockets = try await withThrowingTaskGroup(of: WebSocket.self) { group in
                for _ in 0..<200 { group.addTask { try await provider.webSocket(Local(server)) } }
                return try await group.reduce(into: [WebSocket]()) { $0.append($1) }
            }
            expectEqual(server.connectionCount, 200)
            try await sockets[150].send(.text("a"))
            for try await message in sockets[150].messages {
                expectEqual(message, .text("a"))
                break
            }
            transport.shutdown()
            await #expect(throws: MoyaError.self) { for try await _ in sockets[7].messages {} }
            try await until { server.connectionCount == 0 }
        }
    }

    private final class LockedCodes: Sendable {
        private let codes = Box<[UInt16?]>([])
        var all: [UInt16?] { codes.value }
        func add(_ code: UInt16?) { codes.change { $0.append(code) } }
    }
#endif

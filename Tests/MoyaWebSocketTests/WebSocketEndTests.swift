import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

#if os(Linux)
    @Suite(.queued, .timeLimit(.minutes(10))) struct WebSocketEndTests {
        @Test("7b-6: the codes of the server end the messages, or are their error")
        func serverCloses() async throws {
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    socket.send(.text("last"))
                    let code = UInt16(request.path.dropFirst()) ?? 1000
                    socket.close(WebSocketCloseCode(rawValue: code), reason: "because")
                }
            }
            defer { server.stop() }
            for code in [1000, 1001, 1005, 1008, 4000] as [UInt16] {
                let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server, "/\(code)"))
                var received: [WebSocketMessage] = []
                do throws(MoyaError) {
                    for try await message in socket.messages { received.append(message) }
                    #expect([1000, 1001, 1005].contains(code))
                } catch {
                    let expected = WebSocketError.closed(WebSocketCloseCode(rawValue: code), reason: "because")
                    expectEqual(error.webSocketError, expected)
                    #expect(code == 1008 || code == 4000)
                }
                expectEqual(received, [.text("last")])
                expectEqual(socket.closure?.code.rawValue, code)
            }
            try await until { server.connectionCount == 0 }
        }

        @Test("7b-6: a connection that is lost is an error, after the messages before it")
        func lost() async throws {
            for isReset in [false, true] {
                let server = try LoopbackServer { request in
                    let reply = LoopbackReply.webSocket(request) { $0.send(.text("a")) }
                    return LoopbackReply(reply.steps.dropLast() + [isReset ? .reset : .close])
                }
                defer { server.stop() }
                let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server))
                var received: [WebSocketMessage] = []
                do {
                    for try await message in socket.messages { received.append(message) }
                    Issue.record("no error")
                } catch {
                    expectEqual(error.kind, .connectionLost)
                }
                #expect(isReset || received == [.text("a")])
                expectEqual(socket.closure?.code, .abnormal)
                await #expect(throws: MoyaError.self) { try await socket.send(.text("late")) }
            }
        }

        @Test("7b-6: what the server sends before it closes is received, also by a client that keeps sending")
        func closedBehindSends() async throws {
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    _ = socket.receive()
                    for number in 1...3 { socket.send(.text("\(number)")) }
                    // The connection is closed at once, which resets it, because not all was read.
                    socket.write(FrameWriter.close(.policyViolation, "policy", mask: []))
                }
            }
            defer { server.stop() }
            let provider = try MoyaProvider<Local>.overCurl()
            for _ in 0..<30 {
                let socket = try await provider.webSocket(Local(server))
                await withTaskGroup { group in
                    for _ in 0..<4 {
                        group.addTask { while (try? await socket.send(.data(Data(count: 20_000)))) != nil {} }
                    }
                }
                var received: [WebSocketMessage] = []
                let error = await #expect(throws: MoyaError.self) {
                    for try await message in socket.messages { received.append(message) }
                }
                expectEqual(error?.webSocketError, .closed(.policyViolation, reason: "policy"))
                expectEqual(received, [.text("1"), .text("2"), .text("3")])
            }
        }

        @Test("7b-6: a violation after the own close frame is not answered with another one")
        func violationAfterClose() async throws {
            let rest = Promise<Data>()
            let server = try LoopbackServer { request in
                let reply = LoopbackReply.webSocket(request) { _ in }
                let play = LoopbackReply.Step.run { connection in
                    _ = connection.read()
                    // An empty text in a masked frame.
                    connection.write(Data([0x81, 0x80, 0, 0, 0, 0]))
                    var bytes = Data()
                    while let next = connection.read() { bytes += next }
                    rest.fulfill(bytes)
                }
                return LoopbackReply(reply.steps.dropLast(2) + [play, .close])
            }
            defer { server.stop() }
            let time = VirtualTime()
            let provider = try MoyaProvider<Local>.overCurl { $0.scheduler = time }
            let socket = try await provider.webSocket(Local(server), options: .init(pingInterval: nil))
            await socket.close()
            time.advance(by: .seconds(5))
            try await expectEqual(rest.value(), Data())
            expectEqual(time.leftovers.count, 0)
        }
    }
#endif

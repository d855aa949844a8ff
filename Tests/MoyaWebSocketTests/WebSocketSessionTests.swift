import Foundation
import Moya
import MoyaHTTP
import MoyaTesting
import TestSupport
import Testing

@testable import MoyaWebSocket

/// A session over a connection that only records what is sent.
@Suite(.queued, .timeLimit(.minutes(10))) struct WebSocketSessionTests {
    private final class Connection: TransportConnection {
        let frames = Box<[Data]>([])
        let cancelled = Box(false)

        var isCancelled: Bool { cancelled.value }
        func send(_ bytes: Data) { frames.change { $0.append(bytes) } }
        func acknowledge(_ bytes: Int) {}
        func cancel() { cancelled.value = true }
    }

    @Test("7b-7: while a message is being sent, the ping behind it may wait, but not if nothing is sent any more")
    func pingBehindMessage() async throws {
        let time = VirtualTime()
        let connection = Connection()
        let session = WebSocketSession(
            connection, WebSocketOptions(pingInterval: .seconds(10)), time, nil, subprotocol: nil, received: Data())
        session.begin(handshakeLength: 0)
        let sending = Task { try? await session.send(.data(Data(count: 1000))) }
        try await until { connection.frames.value.count == 1 }
        for step in 1...8 {
            time.advance(by: .seconds(10))
            session.sent(Int64(step * 100))
        }
        #expect(session.end == nil)
        expectEqual(connection.frames.value.count, 2)
        time.advance(by: .seconds(20))
        #expect(session.end != nil && connection.isCancelled)
        await sending.value
    }

    @Test("7b-7: the pong of a ping that waited behind a message has a whole interval of its own")
    func pongOfLatePing() async throws {
        let time = VirtualTime()
        let connection = Connection()
        let session = WebSocketSession(
            connection, WebSocketOptions(pingInterval: .seconds(10)), time, nil, subprotocol: nil, received: Data())
        session.begin(handshakeLength: 0)
        let sending = Task { try? await session.send(.data(Data(count: 1000))) }
        try await until { connection.frames.value.count == 1 }
        time.advance(by: .seconds(10))
        session.sent(500)
        time.advance(by: .milliseconds(9900))
        session.sent(Int64(connection.frames.value.reduce(0) { $0 + $1.count }))
        time.advance(by: .seconds(1))
        #expect(session.end == nil)
        time.advance(by: .seconds(20))
        #expect(session.end != nil)
        await sending.value
    }
}

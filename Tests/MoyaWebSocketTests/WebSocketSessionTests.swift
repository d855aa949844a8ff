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

    private let time = VirtualTime()
    private let connection = Connection()

    /// Returns a session that pings every ten seconds, and a call that sends a message.
    private func sendingSession() async throws -> (WebSocketSession, Task<Void?, Never>) {
        let session = WebSocketSession(
            connection, WebSocketOptions(pingInterval: .seconds(10)), time, nil, subprotocol: nil, received: Data())
        session.begin(handshakeLength: 0)
        let sending = Task { try? await session.send(.data(Data(count: 1000))) }
        try await until { connection.frames.value.count == 1 }
        return (session, sending)
    }

    @Test("7b-7: while a message is being sent, the ping behind it may wait, but not if nothing is sent any more")
    func pingBehindMessage() async throws {
        let (session, sending) = try await sendingSession()
        for step in 1...8 {
            time.advance(by: .seconds(10))
            session.sent(Int64(step * 100))
        }
        #expect(session.end == nil)
        expectEqual(connection.frames.value.count, 2)
        time.advance(by: .seconds(20))
        #expect(session.end != nil && connection.isCancelled)
        _ = await sending.value
    }

    @Test("7b-7: the pong of a ping that waited behind a message has a whole interval of its own")
    func pongOfLatePing() async throws {
        let (session, sending) = try await sendingSession()
        time.advance(by: .seconds(10))
        session.sent(500)
        time.advance(by: .milliseconds(9900))
        session.sent(Int64(connection.frames.value.reduce(0) { $0 + $1.count }))
        time.advance(by: .seconds(1))
        #expect(session.end == nil)
        time.advance(by: .seconds(20))
        #expect(session.end != nil)
        _ = await sending.value
    }
}

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

    @Test("an interval of zero pings never")
    func noPings() {
        let session = WebSocketSession(
            connection, WebSocketOptions(pingInterval: .zero), time, nil, subprotocol: nil, received: Data())
        session.begin(handshakeLength: 0)
        time.advance(by: .seconds(60))
        #expect(connection.frames.value.isEmpty && session.end == nil)
    }

    @Test("after a close that is not answered, the error of waiting and later calls says so")
    func unansweredClose() async throws {
        let session = WebSocketSession(
            connection, WebSocketOptions(), time, nil, subprotocol: nil, received: Data())
        session.begin(handshakeLength: 0)
        let waiting = Task { await #expect(throws: MoyaError.self) { try await session.send(.text("a")) } }
        try await until { connection.frames.value.count == 1 }
        session.startClosing(.normal, "")
        time.advance(by: .seconds(5))
        let later = await #expect(throws: MoyaError.self) { try await session.send(.text("b")) }
        for error in [await waiting.value, later] {
            expectEqual(error?.kind, .timeout)
            #expect(error?.description.contains("the server did not answer the close frame within 5.0 seconds") == true)
        }
        #expect(connection.isCancelled)
    }

    #if os(Linux)
        @Test("a loopback socket receives the messages that arrive together with a violation behind them")
        func messagesBeforeViolation() async throws {
            let received = Promise<[WebSocketMessage]>()
            let server = try LoopbackServer { request in
                .webSocket(request) { socket in
                    var messages: [WebSocketMessage] = []
                    while let message = socket.receive() { messages.append(message) }
                    received.fulfill(messages)
                }
            }
            defer { server.stop() }
            let head = "GET / HTTP/1.1\r\nHost: localhost\r\nSec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n\r\n"
            let messages: [WebSocketMessage] = [.text("a"), .text("b")]
            let frames = messages.map { FrameWriter.frame($0, mask: FrameWriter.mask()) }
            // A client must mask its frames (RFC 6455, section 5.1).
            let bytes = frames.reduce(Data(), +) + FrameWriter.frame(.text("c"), mask: [])
            let transport = try CurlTransport(threads: 1)
            defer { transport.shutdown() }
            let request = try TransportRequest(method: .get, url: server.url)
            let connection = Box<(any TransportConnection)?>(nil)
            _ = transport.connect(for: request, window: 1 << 20) { event in
                switch event {
                case .opened(let opened):
                    connection.value = opened
                    opened.send(Data(head.utf8))
                case .received: connection.value?.send(bytes)
                case .sent, .ended: break
                }
            }
            try await expectEqual(received.value(), messages)
        }
    #endif
}

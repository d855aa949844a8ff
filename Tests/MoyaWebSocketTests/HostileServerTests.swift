import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

/// Servers that break one rule of RFC 6455 each; the rule's section is the name of the case.
@Suite(.queued, .timeLimit(.minutes(10))) struct HostileServerTests {
    private struct Violation: Sendable {
        let rule: String
        let bytes: Data
        var code: UInt16 = 1002
        /// The messages before the violation.
        var messages: [WebSocketMessage] = []
    }

    private struct Chat: RelativeTarget {
        let path = "/"
    }

    private static func frame(
        _ opcode: FrameOpcode, _ content: [UInt8] = [], isFinal: Bool = true, mask: [UInt8] = []
    ) -> Data { FrameWriter.frame(opcode, content, isFinal: isFinal, mask: mask) }

    private static let violations: [Violation] = {
        let hello = frame(.text, Array("hello".utf8))
        let start = frame(.text, Array("hel".utf8), isFinal: false)
        let before: [WebSocketMessage] = [.text("hello")]
        var list = [
            Violation(rule: "5.1: a masked frame", bytes: frame(.text, Array("x".utf8), mask: [1, 2, 3, 4])),
            Violation(
                rule: "5.1: after a message", bytes: hello + frame(.binary, mask: [0, 0, 0, 0]), messages: before),
            Violation(rule: "5.2: a length of two bytes that is not minimal", bytes: Data([0x82, 126, 0, 125])),
            Violation(
                rule: "5.2: a length of eight bytes that is not minimal",
                bytes: Data([0x82, 127, 0, 0, 0, 0, 0, 0, 0xff, 0xff])),
            Violation(rule: "5.2: the highest bit of a length", bytes: Data([0x82, 127, 0x80, 0, 0, 0, 0, 0, 0, 0])),
            Violation(rule: "5.4: a continuation of nothing", bytes: frame(.continuation, [1])),
            Violation(rule: "5.4: after a message", bytes: hello + frame(.continuation), messages: before),
            Violation(rule: "5.4: a message within a message", bytes: start + hello),
            Violation(rule: "5.5: a long control frame", bytes: Data([0x89, 126, 0, 126])),
            Violation(rule: "5.5.1: a close frame of one byte", bytes: frame(.close, [3])),
            Violation(rule: "5.5.1: a reason that is not UTF-8", bytes: frame(.close, [3, 0xe8, 0xff]), code: 1007),
            Violation(
                rule: "5.6: a text that is not UTF-8", bytes: frame(.text, [0xce, 0xba, 0xe1, 0xbd]), code: 1007),
            Violation(
                rule: "5.6: across fragments",
                bytes: frame(.text, [0xe2], isFinal: false) + frame(.continuation, [0x28]),
                code: 1007),
            Violation(rule: "7.4.2: a message that is too large", bytes: Data([0x82, 126, 4, 1]), code: 1009),
            Violation(
                rule: "7.4.2: fragments that are too large",
                bytes: frame(.binary, Array(repeating: 0, count: 20), isFinal: false) + Data([0, 126, 4, 0]), code: 1009
            ),
        ]
        for opcode in [3, 7, 11, 15] as [UInt8] {
            list.append(
                Violation(rule: "5.2: opcode \(opcode)", bytes: hello + Data([0x80 | opcode, 0]), messages: before))
        }
        for bits in [0x40, 0x20, 0x10] as [UInt8] {
            list.append(Violation(rule: "5.2: bits \(bits)", bytes: hello + Data([0x81 | bits, 0]), messages: before))
        }
        for opcode in [FrameOpcode.close, .ping, .pong] {
            list.append(Violation(rule: "5.5: a fragment of \(opcode)", bytes: frame(opcode, isFinal: false)))
        }
        for code in [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000] {
            list.append(
                Violation(rule: "7.4: code \(code)", bytes: frame(.close, [UInt8(code >> 8), UInt8(code & 255)])))
        }
        return list
    }()

    private static let options = WebSocketOptions(maximumMessageSize: 1024, pingInterval: nil)

    /// What a client receives, and the code that it sends.
    private func outcome(
        _ socket: WebSocket
    ) async -> (messages: [WebSocketMessage], error: WebSocketError?) {
        var messages: [WebSocketMessage] = []
        do throws(MoyaError) {
            for try await message in socket.messages { messages.append(message) }
            return (messages, nil)
        } catch {
            return (messages, error.webSocketError)
        }
    }

    @Test("each violation, at each split, closes the socket with its code, after the messages before it")
    func splits() throws {
        for violation in Self.violations {
            for split in 0...violation.bytes.count {
                let time = VirtualTime()
                let stub = StubWebSocketTransport(on: time) { _ in
                    .socket { socket in
                        socket.write(violation.bytes.prefix(split))
                        socket.write(violation.bytes.dropFirst(split), after: .milliseconds(1))
                        // What follows is ignored.
                        socket.send(.text("late"), after: .milliseconds(2))
                    }
                }
                let url = URL(string: "https://chat.example")
                let provider = MoyaProvider<Chat>(baseURL: url, transport: stub, scheduler: time)
                let (messages, error) = try time.run { () async throws in
                    await outcome(try await provider.webSocket(Chat(), options: Self.options))
                }
                expectEqual(messages, violation.messages, "\(violation.rule), split at \(split)")
                if case .invalidMessage = error {
                } else {
                    Issue.record("\(violation.rule): \(String(describing: error))")
                }
                expectEqual(stub.sockets.first?.closure?.code.rawValue, violation.code, "\(violation.rule) at \(split)")
            }
        }
    }

    #if os(Linux)
        @Test("the same over connections, in one piece and byte by byte")
        func connections() async throws {
            for violation in Self.violations {
                for size in [violation.bytes.count, 1] {
                    let code = Promise<UInt16?>()
                    let server = try LoopbackServer { request in
                        .webSocket(request) { socket in
                            for start in stride(from: 0, to: violation.bytes.count, by: size) {
                                socket.write(Data(violation.bytes.dropFirst(start).prefix(size)))
                            }
                            while socket.receive() != nil {}
                            code.fulfill(socket.closure?.code.rawValue)
                        }
                    }
                    defer { server.stop() }
                    let provider = try MoyaProvider<Local>.overCurl()
                    let (messages, error) = await outcome(
                        try await provider.webSocket(Local(server), options: Self.options))
                    expectEqual(messages, violation.messages, "\(violation.rule)")
                    if case .invalidMessage = error {} else { Issue.record("\(violation.rule)") }
                    try await expectEqual(code.value(), violation.code, "\(violation.rule)")
                    try await until { server.connectionCount == 0 }
                }
            }
        }
    #endif
}

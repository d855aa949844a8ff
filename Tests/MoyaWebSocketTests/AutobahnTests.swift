import Foundation
import Moya
import MoyaTesting
import MoyaWebSocket
import TestSupport
import Testing

#if os(Linux)
    /// A server plays the cases of the Autobahn test suite; section 6 is a table of `FrameParserTests`.
    @Suite(.queued, .timeLimit(.minutes(10))) struct AutobahnTests {
        /// What the client did.
        private struct Observed: Sendable, Equatable {
            var answers: [WebSocketInput] = []
            var closeCode: UInt16?
        }

        private static func play(_ one: AutobahnCase, _ connection: LoopbackConnection) -> Observed {
            var observed = Observed()
            var parser = FrameParser(.server)
            func read(until isDone: () -> Bool) {
                while !isDone(), let bytes = connection.read() {
                    try? parser.parse(bytes) { input in
                        if case .close(let code, _) = input {
                            observed.closeCode = code.rawValue
                        } else {
                            observed.answers.append(input)
                        }
                    }
                }
            }
            for (index, piece) in one.pieces.enumerated() {
                connection.write(piece)
                if one.waitsForAnswers {
                    read { observed.answers.count > index || observed.closeCode != nil }
                }
            }
            if one.closeCode == nil {
                read { observed.answers.count >= one.answers.count || observed.closeCode != nil }
                connection.write(FrameWriter.close(.normal, "", mask: []))
            }
            read { observed.closeCode != nil }
            return observed
        }

        @Test(
            "the client behaves as the case says",
            arguments: [("1 to 5", AutobahnCase.basic), ("7", AutobahnCase.closing), ("9 and 10", AutobahnCase.limits)])
        func cases(_ section: String, _ cases: [AutobahnCase]) async throws {
            for one in cases {
                let observed = Promise<Observed>()
                let server = try LoopbackServer { request in
                    let reply = LoopbackReply.webSocket(request) { _ in }
                    let play = LoopbackReply.Step.run { observed.fulfill(Self.play(one, $0)) }
                    return LoopbackReply(reply.steps.dropLast(2) + [play, .close])
                }
                defer { server.stop() }
                // A ping of the client would count as an answer.
                let options = WebSocketOptions(pingInterval: nil)
                let socket = try await MoyaProvider<Local>.overCurl().webSocket(Local(server), options: options)
                do throws(MoyaError) {
                    for try await message in socket.messages { try await socket.send(message) }
                } catch {
                    #expect(one.closeCode != nil, "\(one): \(error)")
                }
                let result = try await observed.value()
                expectEqual(result.closeCode, one.closeCode ?? 1000, "\(one)")
                if one.closeCode == nil {
                    expectEqual(result.answers, one.answers, "\(one)")
                } else {
                    // The client ends the connection, perhaps before the message that precedes the violation is echoed.
                    #expect(one.answers.starts(with: result.answers), "\(one)")
                }
            }
        }
    }
#endif

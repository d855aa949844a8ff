import Foundation
import Moya
import MoyaTesting
import TestSupport
import Testing

@Suite(.queued, .timeLimit(.minutes(10))) struct HeaderPropertyTests {
    @Test("a random header field arrives unchanged, or is refused with an error", arguments: TransportKind.allCases)
    func randomFields(_ kind: TransportKind) async throws {
        let server = try LoopbackServer { _ in .text("") }
        defer { server.stop() }
        let provider = MoyaProvider<Local>(transport: try kind.make())
        var generator = SeededGenerator(seed: 5)
        let tokens = Array("abcXYZ019!#$%&'*+-.^_`|~")
        let names = tokens + Array(" :;()é\u{0}\n\t\"")
        let values = Array("azAZ09 \t!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~éü漢😀\u{1}\u{7f}\u{0}\r\n\u{85}")
        var arrived = 0
        for round in 0..<400 {
            let alphabet = round % 4 == 0 ? names : tokens
            let name =
                "X"
                + String(
                    (0..<Int.random(in: 0...8, using: &generator)).compactMap { _ in
                        alphabet.randomElement(using: &generator)
                    })
            let length = Int.random(in: 0...12, using: &generator)
            let value = String(
                (0..<length).compactMap { _ in
                    (round % 2 == 0 ? values : Array(values.prefix(40))).randomElement(using: &generator)
                })
            do {
                _ = try await provider.response(Local(server, headers: [name: value]))
                let request = try #require(server.requests.last)
                // Foundation on Linux changes the case of the names.
                let received = request.headers.fields.first {
                    kind == .urlSession ? $0.name.lowercased() == name.lowercased() : $0.name == name
                }?.value
                expectEqual(received, value, "\(name.debugDescription): \(value.debugDescription)")
                arrived += 1
            } catch let error as MoyaError {
                expectEqual(error.kind, .request, "\(name.debugDescription): \(value.debugDescription): \(error)")
            }
            // No part of a refused value was sent as a field or a request.
            expectEqual(server.requests.count, arrived)
        }
        #expect((50..<380).contains(arrived))
    }
}

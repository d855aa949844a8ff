import Foundation
import MoyaScheduling
import MoyaWebSocket
import TestSupport
import Testing

/// The parser of frames; the names of cases are those of the Autobahn test suite, sections 1 to 7 and 9.
@Suite(.queued, .timeLimit(.minutes(10))) struct FrameParserTests {
    /// What a parser has received: inputs, and the code of the violation that ended it.
    private struct Parsed: Equatable, CustomStringConvertible {
        var inputs: [WebSocketInput] = []
        var violation: UInt16?

        init(_ inputs: [WebSocketInput] = [], violation: UInt16? = nil) {
            self.inputs = inputs
            self.violation = violation
        }

        var description: String { "\(inputs) \(violation.map { "violation \($0)" } ?? "")" }
    }

    private func parse(
        _ pieces: [Data], _ role: FrameParser.Role = .client, maximumSize: Int = 1 << 20, maximumFragments: Int = 100
    ) -> Parsed {
        var parser = FrameParser(role, maximumSize: maximumSize, maximumFragments: maximumFragments)
        var parsed = Parsed()
        do throws(WebSocketViolation) {
            for piece in pieces { try parser.parse(piece) { parsed.inputs.append($0) } }
        } catch {
            parsed.violation = error.code.rawValue
        }
        return parsed
    }

    private func frame(
        _ opcode: FrameOpcode, _ payload: String = "", isFinal: Bool = true, mask: [UInt8] = []
    ) -> Data { FrameWriter.frame(opcode, Array(payload.utf8), isFinal: isFinal, mask: mask) }

    private func bytes(_ bytes: UInt8...) -> Data { Data(bytes) }

    private func text(_ text: String) -> WebSocketInput { .message(.text(text)) }

    /// Bytes, and what they mean.
    private var cases: [(String, Data, Parsed)] {
        let close = { (code: UInt16, reason: String) in
            FrameWriter.frame(.close, [UInt8(code >> 8), UInt8(code & 255)] + reason.utf8, mask: [])
        }
        var cases: [(String, Data, Parsed)] = [
            ("1.1.1", frame(.text), .init([text("")])), ("1.1.2", frame(.text, "Hello"), .init([text("Hello")])),
            ("1.2.1", frame(.binary), .init([.message(.data(Data()))])),
            ("2.1", frame(.ping), .init([.ping(Data())])),
            ("2.2", frame(.ping, "Hello"), .init([.ping(Data("Hello".utf8))])),
            ("2.4", frame(.ping, String(repeating: "a", count: 125)), .init([.ping(Data(repeating: 97, count: 125))])),
            ("2.5", bytes(0x89, 126, 0, 126), .init(violation: 1002)),
            ("2.7", frame(.pong, "x"), .init([.pong(Data("x".utf8))])),
            ("3.1", bytes(0xc1, 0), .init(violation: 1002)), ("3.2", bytes(0xa1, 0), .init(violation: 1002)),
            ("3.3", bytes(0x91, 0), .init(violation: 1002)), ("3.7", bytes(0xf8, 0), .init(violation: 1002)),
            ("5.1", frame(.ping, "a", isFinal: false), .init(violation: 1002)),
            ("5.2", frame(.pong, "a", isFinal: false), .init(violation: 1002)),
            ("5.3", frame(.text, "a", isFinal: false) + frame(.continuation, "b"), .init([text("ab")])),
            (
                "5.6", frame(.text, "a", isFinal: false) + frame(.ping, "p") + frame(.continuation, "b"),
                .init([.ping(Data("p".utf8)), text("ab")])
            ),
            ("5.9", frame(.continuation, "b"), .init(violation: 1002)),
            ("5.10", frame(.continuation, "b", isFinal: false), .init(violation: 1002)),
            ("5.18", frame(.text, "a", isFinal: false) + frame(.text, "b"), .init(violation: 1002)),
            (
                "5.19",
                frame(.binary, "a", isFinal: false) + frame(.continuation, "", isFinal: false)
                    + frame(.continuation, "b"), .init([.message(.data(Data("ab".utf8)))])
            ),
            ("6.1", frame(.text, "", isFinal: false) + frame(.continuation, "ü€𝄞"), .init([text("ü€𝄞")])),
            ("7.1", close(1000, ""), .init([.close(.normal, reason: "")])),
            ("7.1.3", close(1000, "") + frame(.text, "late"), .init([.close(.normal, reason: "")])),
            ("7.3.1", frame(.close), .init([.close(.noStatus, reason: "")])),
            ("7.3.2", frame(.close, "a"), .init(violation: 1002)),
            ("7.3.4", close(1000, "bye"), .init([.close(.normal, reason: "bye")])),
            (
                "7.3.5", close(1000, String(repeating: "*", count: 123)),
                .init([.close(.normal, reason: String(repeating: "*", count: 123))])
            ),
            ("7.3.6", bytes(0x88, 126, 0, 126, 3, 232), .init(violation: 1002)),
            ("7.5.1", bytes(0x88, 4, 3, 232, 0xc3, 0x28), .init(violation: 1007)),
            ("masked", frame(.text, "a", mask: [1, 2, 3, 4]), .init(violation: 1002)),
            ("not minimal, 16 bits", bytes(0x82, 126, 0, 125), .init(violation: 1002)),
            ("not minimal, 64 bits", bytes(0x82, 127, 0, 0, 0, 0, 0, 0, 255, 255), .init(violation: 1002)),
            ("2^63", bytes(0x82, 127, 128, 0, 0, 0, 0, 0, 0, 0), .init(violation: 1002)),
            ("2^63 - 1", bytes(0x82, 127, 127, 255, 255, 255, 255, 255, 255, 255), .init(violation: 1009)),
        ]
        for opcode in [3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8] {
            cases.append(("4: opcode \(opcode)", bytes(0x80 | opcode, 0), .init(violation: 1002)))
        }
        for code in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999] as [UInt16] {
            let code = WebSocketCloseCode(rawValue: code)
            cases.append(("7.7: \(code)", close(code.rawValue, ""), .init([.close(code, reason: "")])))
        }
        for code in [0, 999, 1004, 1005, 1006, 1015, 1016, 1100, 2000, 2999, 5000, 65535] as [UInt16] {
            cases.append(("7.9: \(code)", close(code, ""), .init(violation: 1002)))
        }
        return cases
    }

    @Test("7b-2, 3, 4, 6: each case at each split, and byte by byte")
    func autobahn() {
        for (name, bytes, expected) in cases {
            expectEqual(parse([bytes]), expected, "\(name)")
            expectEqual(parse(bytes.map { Data([$0]) }), expected, "\(name), byte by byte")
            for split in 0...bytes.count {
                expectEqual(
                    parse([bytes.prefix(split), bytes.dropFirst(split)]), expected, "\(name), split at \(split)")
            }
        }
    }

    @Test("7b-3: text that is not UTF-8 fails at its first invalid byte (6.3 to 6.23)")
    func invalidText() {
        let invalid: [[UInt8]] = [
            [0xce, 0xba, 0xe1, 0xbd, 0xb9, 0xcf, 0x83, 0xce, 0xbc, 0xce, 0xb5, 0xed, 0xa0, 0x80, 0x65, 0x64],
            [0xf8, 0x88, 0x80, 0x80, 0x80], [0xfc], [0x80], [0xbf], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0xaf],
            [0xf0, 0x80, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xf4, 0x90, 0x80, 0x80], [0xfe], [0xff],
            [0x61, 0xc3, 0x28],
        ]
        for payload in invalid {
            // The frame is not complete: the parser does not wait for its end.
            let head = Data([0x01, UInt8(payload.count + 1)])
            expectEqual(parse([head + payload]), .init(violation: 1007), "\(payload)")
            expectEqual(parse((head + payload).map { Data([$0]) }), .init(violation: 1007), "\(payload)")
        }
        // The end within a character.
        expectEqual(parse([FrameWriter.frame(.text, [0xe2, 0x82], mask: [])]), .init(violation: 1007))
        // All scalars at the ends of the ranges, in fragments of one byte.
        let valid = "\u{7f}\u{80}\u{7ff}\u{800}\u{d7ff}\u{e000}\u{ffff}\u{10000}\u{10ffff}"
        var frames = frame(.text, "", isFinal: false)
        for byte in valid.utf8 { frames += FrameWriter.frame(.continuation, [byte], isFinal: false, mask: []) }
        expectEqual(parse([frames + frame(.continuation)]), .init([text(valid)]))
    }

    @Test("9: messages of all lengths of headers, in both roles")
    func lengths() {
        for length in [0, 1, 125, 126, 127, 128, 65_535, 65_536, 65_537, 1 << 20] {
            let payload = Data((0..<length).map { UInt8(truncatingIfNeeded: $0) })
            for mask in [[], [0xa5, 0, 0xff, 0x10]] as [[UInt8]] {
                let bytes = FrameWriter.frame(.data(payload), mask: mask)
                let expected = Parsed([.message(.data(payload))])
                expectEqual(parse([bytes], mask.isEmpty ? .client : .server), expected, "\(length)")
                let pieces = stride(from: 0, to: bytes.count, by: 997).map { bytes[$0..<min($0 + 997, bytes.count)] }
                expectEqual(parse(pieces, mask.isEmpty ? .client : .server), expected, "\(length), in pieces")
            }
        }
    }

    @Test("7b-5, 15: the limits of a message count all of its fragments, inclusively")
    func limits() {
        let ten =
            frame(.binary, String(repeating: "a", count: 6), isFinal: false)
            + frame(.continuation, String(repeating: "a", count: 4))
        #expect(parse([ten], maximumSize: 10).violation == nil)
        expectEqual(parse([ten], maximumSize: 9).violation, 1009)
        expectEqual(parse([frame(.binary, "a")], maximumSize: -1).violation, 1009)
        // The length alone is sufficient.
        expectEqual(parse([Data([0x82, 11])], maximumSize: 10).violation, 1009)
        let many =
            frame(.binary, isFinal: false)
            + (0..<9).reduce(Data()) { all, _ in
                all + frame(.continuation, isFinal: false)
            }
        #expect(parse([many], maximumFragments: 10).violation == nil)
        expectEqual(parse([many], maximumFragments: 9).violation, 1009)
    }

    @Test("7b-1: a client masks each frame with another key")
    func masks() {
        let masks = Set((0..<100).map { _ in FrameWriter.mask() })
        #expect(masks.count > 90)
        #expect(masks.allSatisfy { $0.count == 4 })
        expectEqual(parse([frame(.text, "a")], .server), .init(violation: 1002))
    }

    @Test("a close frame has at most 125 bytes, whole characters, and no code that is never sent")
    func closeFrames() {
        let reason = String(repeating: "€", count: 50)
        let parsed = parse([FrameWriter.close(.goingAway, reason, mask: [])])
        expectEqual(parsed, .init([.close(.goingAway, reason: String(repeating: "€", count: 41))]))
        expectEqual(parse([FrameWriter.close(.noStatus, "x", mask: [])]), .init([.close(.noStatus, reason: "")]))
        for code in [1004, 1005, 1006, 1015] as [UInt16] { #expect(!WebSocketCloseCode(rawValue: code).isSendable) }
    }

    @Test("random bytes in random pieces never trap, and give the same result as in one piece")
    func fuzz() {
        let runs = ProcessInfo.processInfo.environment["MOYA_STRESS_RUNS"].flatMap(Int.init) ?? 1
        var generator = SeededGenerator(seed: 7)
        let cases = cases
        for _ in 0..<manyTimes / 20 * runs {
            var bytes = Data()
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                if Bool.random(using: &generator) {
                    bytes += (0..<Int.random(in: 0...20, using: &generator)).map { _ in
                        .random(in: 0...255, using: &generator)
                    }
                } else {
                    bytes += cases[Int.random(in: 0..<cases.count, using: &generator)].1
                }
            }
            var pieces: [Data] = []
            var rest = bytes
            while !rest.isEmpty {
                let count = Int.random(in: 1...max(1, min(rest.count, 9)), using: &generator)
                pieces.append(rest.prefix(count))
                rest = rest.dropFirst(count)
            }
            let role = Bool.random(using: &generator) ? FrameParser.Role.client : .server
            let (whole, split) = (parse([bytes], role), parse(pieces, role))
            expectEqual(whole, split)
            if whole != split { return }
        }
    }
}

import Foundation
import MoyaWebSocket

/// A case of the Autobahn test suite for clients that echo messages: what the server sends, and what it must receive.
struct AutobahnCase: Sendable, CustomStringConvertible {
    let id: String
    /// The bytes of the server, in the pieces in which they are sent.
    let pieces: [Data]
    /// What the client sends, in order; the beginning of it if the client must end the connection.
    var answers: [WebSocketInput] = []
    /// The code of the client's close frame if the server has violated the protocol, or has sent a close frame.
    var closeCode: UInt16?
    /// Whether the server sends a piece only when the one before it was answered.
    var waitsForAnswers = false

    var description: String { id }

    /// The same case with bytes in pieces of `size`.
    func chopped(_ size: Int, id: String) -> AutobahnCase {
        let bytes = pieces.reduce(Data(), +)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Data(bytes.dropFirst($0).prefix(size)) }
        return AutobahnCase(id: id, pieces: pieces, answers: answers, closeCode: closeCode)
    }

    // MARK: Sections 1 to 5

    static let basic: [AutobahnCase] = {
        var cases: [AutobahnCase] = []
        for (index, length) in [0, 125, 126, 127, 128, 65_535, 65_536].enumerated() {
            cases.append(.echo("1.1.\(index + 1)", text(length)))
            cases.append(.echo("1.2.\(index + 1)", .data(Data(repeating: 0xfe, count: length))))
        }
        cases.append(AutobahnCase.echo("", text(65_536)).chopped(997, id: "1.1.8"))
        cases.append(AutobahnCase.echo("", .data(Data(repeating: 0xfe, count: 65_536))).chopped(997, id: "1.2.8"))

        let contents = [Data(), Data("Hello, world!".utf8), Data([0, 255, 254, 253, 252, 251, 0, 255])]
        for (index, content) in (contents + [Data(repeating: 0xfe, count: 125)]).enumerated() {
            cases.append(AutobahnCase(id: "2.\(index + 1)", pieces: [ping(content)], answers: [.pong(content)]))
        }
        cases.append(AutobahnCase(id: "2.5", pieces: [Data([0x89, 126, 0, 126])], closeCode: 1002))
        cases.append(cases[cases.count - 2].chopped(1, id: "2.6"))
        let hello = Data("hello".utf8)
        let pong = FrameWriter.frame(.pong, hello, mask: [])
        cases.append(AutobahnCase(id: "2.7", pieces: [FrameWriter.frame(.pong, [], mask: [])]))
        cases.append(AutobahnCase(id: "2.8", pieces: [pong]))
        cases.append(AutobahnCase(id: "2.9", pieces: [pong, ping(hello)], answers: [.pong(hello)]))
        let numbers = (0..<10).map { Data("payload-\($0)".utf8) }
        let pings = AutobahnCase(id: "2.10", pieces: numbers.map(ping), answers: numbers.map { .pong($0) })
        cases += [pings, pings.chopped(1, id: "2.11")]

        for bits in 1...7 as ClosedRange<UInt8> {
            let opcode = ([1, 1, 1, 1, 2, 9, 8] as [UInt8])[Int(bits) - 1]
            let content = Data([0x80 | bits << 4 | opcode, 0])
            let before = (2...4).contains(bits) ? [frame(.text, "before")] : []
            let answers: [WebSocketInput] = before.isEmpty ? [] : [.message(.text("before"))]
            let pieces = before + [content, ping(Data())]
            let one = AutobahnCase(id: "3.\(bits)", pieces: pieces, answers: answers, closeCode: 1002)
            cases.append(bits == 4 ? one.chopped(1, id: one.id) : one)
        }
        for (index, opcode) in ([3, 4, 5, 6, 7, 11, 12, 13, 14, 15] as [UInt8]).enumerated() {
            let id = index < 5 ? "4.1.\(index + 1)" : "4.2.\(index - 4)"
            let hasContent = index % 5 == 1 || index % 5 == 3
            let content = Data([0x80 | opcode] + (hasContent ? [5] + Array("hello".utf8) : [0]))
            let before = index % 5 >= 2 ? [frame(.text, "before")] : []
            let answers: [WebSocketInput] = before.isEmpty ? [] : [.message(.text("before"))]
            cases.append(
                AutobahnCase(id: id, pieces: before + [content, ping(Data())], answers: answers, closeCode: 1002))
        }
        return cases + fragments
    }()

    private static var fragments: [AutobahnCase] {
        let (first, last) = (frame(.text, "fragment1", isFinal: false), frame(.continuation, "fragment2"))
        let whole = WebSocketInput.message(.text("fragment1fragment2"))
        let (ping, pong) = (ping(Data("ping".utf8)), WebSocketInput.pong(Data("ping".utf8)))
        let lone = frame(.continuation, "alone")
        let loneFirst = frame(.continuation, "alone", isFinal: false)
        let middle = frame(.continuation, "fragment2", isFinal: false)
        let split = AutobahnCase(id: "5.4", pieces: [first, last], answers: [whole])
        let around = AutobahnCase(id: "5.7", pieces: [first, ping, last], answers: [pong, whole])
        let long = AutobahnCase(
            id: "5.19", pieces: [first, middle, ping, middle, middle, ping, last],
            answers: [pong, pong, .message(.text("fragment1" + String(repeating: "fragment2", count: 4)))])
        var cases = [
            AutobahnCase(
                id: "5.1", pieces: [FrameWriter.frame(.ping, Data("a".utf8), isFinal: false, mask: []), last]),
            AutobahnCase(
                id: "5.2", pieces: [FrameWriter.frame(.pong, Data("a".utf8), isFinal: false, mask: []), last]),
        ]
        for (id, alone) in [(9, lone), (12, loneFirst)] {
            let together = AutobahnCase(id: "5.\(id)", pieces: [alone + frame(.text, "after")])
            cases += [together, AutobahnCase(id: "5.\(id + 1)", pieces: [alone, frame(.text, "after")])]
            cases.append(together.chopped(1, id: "5.\(id + 2)"))
        }
        cases.append(
            AutobahnCase(id: "5.15", pieces: [first, last, loneFirst, frame(.text, "after")], answers: [whole]))
        for (id, alone) in [(16, loneFirst), (17, lone)] {
            cases.append(AutobahnCase(id: "5.\(id)", pieces: [alone, first, last, alone, first, last]))
        }
        cases.append(AutobahnCase(id: "5.18", pieces: [first, frame(.text, "fragment2")]))
        for index in cases.indices { cases[index].closeCode = 1002 }
        return cases + [
            split.chopped(.max / 2, id: "5.3"), split, split.chopped(1, id: "5.5"),
            around.chopped(.max / 2, id: "5.6"), around, around.chopped(1, id: "5.8"), long,
            long.chopped(1, id: "5.20"),
        ]
    }

    // MARK: Section 7

    static let closing: [AutobahnCase] = {
        let normal = close(1000)
        let hello = WebSocketMessage.text("hello")
        let invalidReason = Array("Hello-µ@ßöäüàá-UTF-8!!".utf8.dropLast(2)) + [0xce, 0xba, 0xe1, 0xbd]
        var cases = [
            AutobahnCase(
                id: "7.1.1", pieces: [FrameWriter.frame(hello, mask: [])], answers: [.message(hello)]),
            AutobahnCase(id: "7.1.2", pieces: [normal, normal], closeCode: 1000),
            AutobahnCase(id: "7.1.3", pieces: [normal, ping(Data())], closeCode: 1000),
            AutobahnCase(id: "7.1.4", pieces: [normal, frame(.text, "late")], closeCode: 1000),
            AutobahnCase(
                id: "7.1.5",
                pieces: [frame(.text, "a", isFinal: false), normal, frame(.continuation, "b")], closeCode: 1000),
            AutobahnCase(
                id: "7.1.6", pieces: [FrameWriter.frame(text(256 << 10), mask: []), normal, ping(Data())],
                answers: [.message(text(256 << 10))], closeCode: 1000),
            AutobahnCase(id: "7.3.1", pieces: [Data([0x88, 0])], closeCode: 1005),
            AutobahnCase(id: "7.3.2", pieces: [Data([0x88, 1, 97])], closeCode: 1002),
            AutobahnCase(id: "7.3.3", pieces: [normal], closeCode: 1000),
            AutobahnCase(id: "7.3.4", pieces: [close(1000, Array("hello".utf8))], closeCode: 1000),
            AutobahnCase(id: "7.3.5", pieces: [close(1000, Array(repeating: 42, count: 123))], closeCode: 1000),
            AutobahnCase(id: "7.3.6", pieces: [Data([0x88, 126, 0, 126, 3, 0xe8])], closeCode: 1002),
            AutobahnCase(id: "7.5.1", pieces: [close(1000, invalidReason)], closeCode: 1007),
        ]
        for (index, code) in [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999].enumerated()
        {
            let code = UInt16(code)
            cases.append(AutobahnCase(id: "7.7.\(index + 1)", pieces: [close(code)], closeCode: code))
        }
        for (index, code) in [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999].enumerated() {
            cases.append(AutobahnCase(id: "7.9.\(index + 1)", pieces: [close(UInt16(code))], closeCode: 1002))
        }
        // Section 7.13 does not say what happens; here, such codes are violations.
        for (index, code) in [5000, 65_535].enumerated() {
            cases.append(AutobahnCase(id: "7.13.\(index + 1)", pieces: [close(UInt16(code))], closeCode: 1002))
        }
        return cases
    }()

    // MARK: Sections 9 and 10

    static let limits: [AutobahnCase] = {
        var cases: [AutobahnCase] = []
        for (section, isText) in [(1, true), (2, false)] {
            for (index, size) in [64 << 10, 256 << 10, 1 << 20, 4 << 20, 8 << 20, 16 << 20].enumerated() {
                cases.append(.echo("9.\(section).\(index + 1)", message(size, isText)))
            }
            for (index, size) in [64, 256, 1 << 10, 4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20]
                .enumerated()
            {
                cases.append(.fragmented("9.\(section + 2).\(index + 1)", message(4 << 20, isText), size))
            }
            for (index, size) in [64, 128, 256, 512, 1024, 2048].enumerated() {
                let id = "9.\(section + 4).\(index + 1)"
                cases.append(AutobahnCase.echo("", message(1 << 20, isText)).chopped(size, id: id))
            }
            for (index, size) in [0, 16, 64, 256, 1024, 4096].enumerated() {
                let message = message(size, isText)
                let frame = FrameWriter.frame(message, mask: [])
                cases.append(
                    AutobahnCase(
                        id: "9.\(section + 6).\(index + 1)", pieces: Array(repeating: frame, count: 1000),
                        answers: Array(repeating: .message(message), count: 1000), waitsForAnswers: true))
            }
        }
        return cases + [.fragmented("10.1.1", text(65_536), 1300)]
    }()

    // MARK: Frames

    private static func echo(_ id: String, _ message: WebSocketMessage) -> AutobahnCase {
        AutobahnCase(id: id, pieces: [FrameWriter.frame(message, mask: [])], answers: [.message(message)])
    }

    private static func fragmented(_ id: String, _ message: WebSocketMessage, _ size: Int) -> AutobahnCase {
        let (opcode, bytes): (FrameOpcode, Data) =
            switch message {
            case .text(let text): (.text, Data(text.utf8))
            case .data(let data): (.binary, data)
            }
        let frames = stride(from: 0, to: bytes.count, by: size).map { start in
            FrameWriter.frame(
                start == 0 ? opcode : .continuation, bytes.dropFirst(start).prefix(size),
                isFinal: start + size >= bytes.count, mask: [])
        }
        return AutobahnCase(id: id, pieces: frames, answers: [.message(message)])
    }

    private static func message(_ size: Int, _ isText: Bool) -> WebSocketMessage {
        isText ? text(size) : .data(Data(repeating: 0xfe, count: size))
    }

    private static func text(_ size: Int) -> WebSocketMessage {
        .text(String(decoding: Data(repeating: UInt8(ascii: "*"), count: size), as: UTF8.self))
    }

    private static func frame(_ opcode: FrameOpcode, _ text: String, isFinal: Bool = true) -> Data {
        FrameWriter.frame(opcode, Data(text.utf8), isFinal: isFinal, mask: [])
    }

    private static func ping(_ content: Data) -> Data { FrameWriter.frame(.ping, content, mask: []) }

    private static func close(_ code: UInt16, _ reason: [UInt8] = []) -> Data {
        FrameWriter.frame(.close, [UInt8(code >> 8), UInt8(code & 255)] + reason, mask: [])
    }
}

import Foundation
import TestSupport
import Testing

@testable import Moya

@Suite(.queued, .timeLimit(.minutes(10))) struct ParserTests {
    /// Returns the values that a parser reads from content in chunks of `size` bytes.
    private func parse<Parser: ChunkParser>(_ parser: Parser, _ bytes: [UInt8], cutInto size: Int) throws -> [Parser
        .Output]
    {
        var parser = parser
        var values: [Parser.Output] = []
        for start in stride(from: 0, to: bytes.count, by: size) {
            try parser.add(Data(bytes[start..<min(start + size, bytes.count)]), to: &values)
        }
        return values + (try parser.finish())
    }

    @Test(
        "lines end with LF, CR LF or CR, wherever the chunks are cut",
        arguments: [
            ("a\nb\r\nc\rd", ["a", "b", "c", "d"]), ("\n\r\n\r", ["", "", ""]), ("", []), ("é漢\n😀", ["é漢", "😀"]),
            ("a\n\rb", ["a", "", "b"]), ("a\r\r\nb\n", ["a", "", "b"]),
        ], [1, 2, 3, 100])
    func lines(_ row: (text: String, lines: [String]), _ size: Int) throws {
        try expectEqual(parse(LineParser(maximumLength: 100), Array(row.text.utf8), cutInto: size), row.lines)
    }

    @Test("a line above the limit is an error, before all of it is in memory")
    func tooLong() {
        #expect(throws: StreamingError.tooLong(limit: 3)) {
            try parse(LineParser(maximumLength: 3), Array("abc\nabcd".utf8), cutInto: 2)
        }
        #expect(throws: StreamingError.tooLong(limit: 8)) {
            try parse(EventStreamParser(maximumLength: 8), Array("data:abc\ndata:abcd\n\n".utf8), cutInto: 5)
        }
    }

    private static let streams: [(String, [ServerSentEvent])] = [
        // The examples of WHATWG HTML, section 9.2.6.
        ("data: YHOO\ndata: +2\ndata: 10\n\n", [ServerSentEvent(data: "YHOO\n+2\n10")]),
        (
            ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n",
            [
                ServerSentEvent(id: "1", data: "first event"), ServerSentEvent(data: "second event"),
                ServerSentEvent(data: " third event"),
            ]
        ),
        ("data\n\ndata\ndata\n\ndata:", [ServerSentEvent(data: ""), ServerSentEvent(data: "\n")]),
        ("data:test\n\ndata: test\n\n", [ServerSentEvent(data: "test"), ServerSentEvent(data: "test")]),
        // A byte order mark, all line ends, an event without data, an unknown field, and an incomplete event.
        (
            "\u{feff}event: add\r\ndata: 1\r\rdata: 2\n\nevent: none\n\nfoo: bar\ndata:x:y\n\ndata: lost",
            [
                ServerSentEvent(event: "add", data: "1"), ServerSentEvent(data: "2"), ServerSentEvent(data: "x:y"),
            ]
        ),
        // A time has digits only; an ID with a NUL is ignored.
        (
            "retry: 1500\nid: a\ndata: 1\n\nretry: 2s\nid: b\0\ndata: 2\n\nretry: 99999999999\ndata: 3\n\n",
            (1...3).map { ServerSentEvent(id: "a", data: "\($0)", retry: .milliseconds(1500)) }
        ),
        ("\u{feff}\u{feff}data: x\n\ndata: y\n\n", [ServerSentEvent(data: "y")]),
    ]

    @Test(
        "event streams are parsed by the rules, however the chunks are cut", arguments: streams.indices,
        [1, 2, 3, 7, 1000])
    func events(_ index: Int, _ size: Int) throws {
        let (text, events) = Self.streams[index]
        try expectEqual(parse(EventStreamParser(maximumLength: 1000), Array(text.utf8), cutInto: size), events)
    }

    /// Returns the values that a parser reads, and whether it fails.
    private func outcome<Parser: ChunkParser>(_ parser: Parser, _ chunks: [[UInt8]]) -> ([Parser.Output], Bool) {
        var parser = parser
        var values: [Parser.Output] = []
        do {
            for chunk in chunks { try parser.add(Data(chunk), to: &values) }
            values += try parser.finish()
        } catch {
            return (values, true)
        }
        return (values, false)
    }

    @Test(
        "content that is cut at any two places gives the same values and the same end",
        arguments: [
            "a\nb\r\nc\rd", "ab\ncd\nmuch too long\nef", "data: 1\n\ndata: much too long for it\n\n", "x\r\n\r\ny",
            "id: 1\ndata: ab\ndata: cd\ndata: ef\n\ndata: g\n\n", "\u{feff}data: é漢😀\r\rdata: b\n\n",
        ])
    func cuts(_ text: String) {
        let bytes = Array(text.utf8)
        let (lines, failsLines) = outcome(LineParser(maximumLength: 8), [bytes])
        let (events, failsEvents) = outcome(EventStreamParser(maximumLength: 8), [bytes])
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let chunks = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
                let cut = outcome(LineParser(maximumLength: 8), chunks)
                #expect(cut.0 == lines && cut.1 == failsLines)
                let cutEvents = outcome(EventStreamParser(maximumLength: 8), chunks)
                #expect(cutEvents.0 == events && cutEvents.1 == failsEvents)
            }
        }
    }

    @Test("lines before one that is too long are delivered, then the failure")
    func deliversThenFails() async throws {
        let content = AsyncStream<Data> { continuation in
            continuation.yield(Data("a\nb\ntoo long\nc\n".utf8))
            continuation.finish()
        }
        var lines: [String] = []
        await #expect(throws: StreamingError.tooLong(limit: 4)) {
            for try await line in content.lines(maximumLength: 4) { lines.append(line) }
        }
        expectEqual(lines, ["a", "b"])
    }

    @Test("random bytes are parsed without a crash")
    func randomBytes() throws {
        var generator = SeededGenerator(seed: 8)
        let alphabet = Array("data:id\r\n \0".utf8) + [0xff, 0xc3, 0xef, 0xbb, 0xbf]
        for _ in 0..<2000 {
            let bytes = (0..<Int.random(in: 0...60, using: &generator)).compactMap { _ in
                alphabet.randomElement(using: &generator)
            }
            let whole = try parse(EventStreamParser(maximumLength: 1000), bytes, cutInto: 1000)
            try expectEqual(parse(EventStreamParser(maximumLength: 1000), bytes, cutInto: 1), whole)
            let lines = try parse(LineParser(maximumLength: 1000), bytes, cutInto: 1000)
            try expectEqual(parse(LineParser(maximumLength: 1000), bytes, cutInto: 3), lines)
        }
    }
}

import Moya
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite(.queued, .timeLimit(.minutes(10))) struct HeadParserTests {
    private func parse(_ lines: [String]) -> (heads: [ResponseHead], trailers: HTTPHeaders) {
        var parser = HeadParser()
        var heads: [ResponseHead] = []
        for line in lines {
            if case .head(let head) = parser.add(Array((line + "\r\n").utf8)) { heads.append(head) }
        }
        return (heads, parser.trailers)
    }

    @Test func aHeadEndsWithAnEmptyLine() {
        let heads = parse(["HTTP/1.1 200 OK", "A: b", "Set-Cookie: 1", "Set-Cookie:2  ", "Empty:", ""]).heads
        expectEqual(heads.map(\.statusCode), [200])
        expectEqual(heads.first?.version, "HTTP/1.1")
        expectEqual(heads.first?.headers.values(for: "set-cookie"), ["1", "2"])
        expectEqual(heads.first?.headers["empty"], "")
    }

    @Test("RFC 9110, 15.2: interim heads are skipped, except for a switch of protocols")
    func interimHeads() {
        expectEqual(parse(["HTTP/1.1 103 Hints", "Link: x", "", "HTTP/2 204", ""]).heads.map(\.statusCode), [204])
        expectEqual(parse(["HTTP/1.1 101 Switching", ""]).heads.map(\.statusCode), [101])
    }

    @Test("RFC 9110, 5.5: CR and NUL within a line are malformed", arguments: ["a\rX: b", "a\0b", "\r"])
    func controls(_ value: String) {
        var head = HeadParser()
        for line in ["HTTP/1.1 200 OK\r\n", "A: b\r\n"] { expectEqual(head.add(Array(line.utf8)), .incomplete) }
        var trailers = head
        expectEqual(head.add(Array("C: \(value)d\r\n".utf8)), .malformed)
        if case .head = trailers.add(Array("\r\n".utf8)) {} else { Issue.record("no head") }
        expectEqual(trailers.add(Array("C: \(value)d\r\n".utf8)), .malformed)
    }

    @Test func interimHeadsEnd() {
        var parser = HeadParser()
        let head = ["HTTP/1.1 103 Hints\r\n", "Link: \(String(repeating: "x", count: 1000))\r\n", "\r\n"]
        let results = (0..<400).flatMap { _ in head.map { parser.add(Array($0.utf8)) } }
        #expect(results.prefix(750).allSatisfy { $0 == .incomplete })
        expectEqual(results.last, .malformed)
    }

    @Test("RFC 9110, 6.5: fields after the content are trailers")
    func trailers() {
        let (heads, trailers) = parse(["HTTP/1.1 200 OK", "", "X-Sum: 1", ""])
        expectEqual(heads.count, 1)
        expectEqual(trailers["x-sum"], "1")
    }

    @Test func bytesThatAreNoUTF8AreLatin1() {
        var parser = HeadParser()
        _ = parser.add(Array("HTTP/1.1 200 OK\r\n".utf8))
        _ = parser.add(Array("X: caf".utf8) + [0xe9, 0x0d, 0x0a])
        guard case .head(let head) = parser.add([0x0d, 0x0a]) else { Issue.record("no head"); return }
        expectEqual(head.headers["x"], "café")
    }

    @Test(
        "malformed lines do not crash",
        arguments: ["", "HTTP/", "HTTP/1.1", "HTTP/1.1 abc", "no colon", ":", ": :", "\0"])
    func nonsense(_ line: String) {
        _ = parse([line, line, ""])
        _ = parse(["HTTP/1.1 200 OK", line, "", line, ""])
    }

    @Test("RFC 9112, 5.2: a folded line continues the previous field")
    func foldedLines() {
        let heads = parse(["HTTP/1.1 200 OK", "A: b", " Evil: folded", "\tmore", "C: d", ""]).heads
        expectEqual(heads.first?.headers["a"], "b Evil: folded more")
        #expect(heads.first?.headers["evil"] == nil)
        expectEqual(heads.first?.headers["c"], "d")
    }

    @Test func aTrailerCannotBeginAnotherHead() {
        let (heads, _) = parse(["HTTP/1.1 200 OK", "", "HTTP/1.1 500 no", "A: b", ""])
        expectEqual(heads.map(\.statusCode), [200])
    }

    @Test(
        "RFC 9112, 4: a status line has a known version and three digits",
        arguments: [
            "HTTP/1.1 2OO", "HTTP/1.1 99", "HTTP/1.1 099", "HTTP/1.1 2000", "HTTP/1.1 +20", "HTTP/1.1", "HTTP/1.1\t200",
            "ICY 200", "HTTP/1.9 200", "HTTP/9.9 200", "HTTP/ 200",
        ])
    func badStatus(_ line: String) {
        var parser = HeadParser()
        expectEqual(parser.add(Array("\(line)\r\n".utf8)), .malformed)
    }

    @Test(
        "RFC 9112, 6.3: a head with an invalid length is malformed",
        arguments: ["", "-5", "+5", "0x5", "5 5", "5,3", "5,", "9223372036854775808"])
    func badLength(_ length: String) {
        expectEqual(result(["HTTP/1.1 200 OK", "Content-Length: \(length)"]), .malformed)
    }

    @Test func aLengthMayBeRepeated() {
        #expect(result(["HTTP/1.1 200 OK", "Content-Length: 5, 5", "Content-Length: 5"]) != .malformed)
        expectEqual(result(["HTTP/1.1 200 OK", "Content-Length: 5", "Content-Length: 3"]), .malformed)
    }

    @Test func fieldsHaveAnEnd() {
        let lines = Array(repeating: "A: b", count: 100_000)
        expectEqual(result(["HTTP/1.1 200 OK"] + lines), .malformed)
        expectEqual(result(["HTTP/1.1 200 OK", ""] + lines), .malformed)
    }

    @Test func aLineThatBeginsWithCRIsTheEnd() {
        expectEqual(parse(["HTTP/1.1 200 OK", "\rA: b"]).heads.map(\.statusCode), [200])
    }

    @Test func aFieldCannotBeginAnotherHead() {
        expectEqual(parse(["HTTP/1.1 200 OK", "HTTP/1.1 100: no", ""]).heads.map(\.statusCode), [200])
    }

    /// Returns `malformed` if a line is malformed, otherwise the result of the end of the head.
    private func result(_ lines: [String]) -> HeadParser.Result {
        var parser = HeadParser()
        for line in lines {
            let result = parser.add(Array("\(line)\r\n".utf8))
            if result == .malformed { return result }
        }
        return parser.add([0x0d, 0x0a])
    }
}

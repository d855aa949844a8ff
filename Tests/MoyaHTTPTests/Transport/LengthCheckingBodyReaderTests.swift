import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite(.queued, .timeLimit(.minutes(10))) struct LengthCheckingBodyReaderTests {
    /// A reader that returns its parts in order, and ignores the maximum length.
    private struct Script: BodyReader {
        var parts: ArraySlice<BodyPart>

        mutating func read(upTo count: Int) -> BodyPart { parts.popFirst() ?? .end }
    }

    private static func text(_ text: String) -> BodyPart { .data(Data(text.utf8)) }

    /// Returns the results of the reads as text: parts, `-` for pending, `|` for the end, `#` for an error.
    private func read(
        _ parts: [BodyPart], of body: RequestBody = .stream(length: nil) { _ in Script(parts: []) }, length: Int64,
        by count: Int
    ) -> [String] {
        var reader = LengthCheckingBodyReader(Script(parts: parts[...]), of: body, length: length)
        var log: [String] = []
        while log.count < 20 {
            do {
                switch try reader.read(upTo: count) {
                case .data(let data): log.append(String(decoding: data, as: UTF8.self))
                case .pending: log.append("-")
                case .end: return log + ["|"]
                }
            } catch {
                return log + ["#"]
            }
        }
        return log
    }

    @Test("a stream of the declared length is read unchanged")
    func exact() {
        expectEqual(read([Self.text("ab"), .pending, Self.text("cd")], length: 4, by: 10), ["ab", "-", "cd", "|"])
        expectEqual(read([.end], length: 0, by: 10), ["|"])
    }

    @Test("the last part is returned after the end of the stream was read")
    func waits() {
        expectEqual(read([Self.text("ab"), .pending, .pending, .end], length: 2, by: 10), ["-", "-", "ab", "|"])
        expectEqual(read([Self.text("ab"), .pending, .end], length: 2, by: 1), ["-", "a", "b", "|"])
        expectEqual(read([.pending, .end], length: 0, by: 10), ["-", "|"])
    }

    @Test("a longer stream fails before its last part, a shorter one at its end")
    func wrongLength() {
        expectEqual(read([Self.text("ab"), Self.text("c")], length: 2, by: 10), ["#"])
        expectEqual(read([Self.text("ab"), .pending, Self.text("c")], length: 2, by: 10), ["-", "#"])
        expectEqual(read([Self.text("a"), Self.text("bc")], length: 2, by: 10), ["a", "#"])
        expectEqual(read([Self.text("a")], length: 0, by: 10), ["#"])
        expectEqual(read([Self.text("a")], length: 2, by: 10), ["a", "#"])
        expectEqual(read([Self.text("a"), Self.text("")], length: 2, by: 10), ["a", "#"])
    }

    @Test("a file that has grown is read up to its original length")
    func grownFile() {
        let file = RequestBody.file(URL(filePath: "/grown"))
        expectEqual(read([Self.text("ab"), Self.text("c")], of: file, length: 2, by: 10), ["ab", "|"])
    }
}

import Foundation
import Moya
import MoyaScheduling
import TestSupport
import Testing

@testable import MoyaHTTP

@Suite(.queued, .timeLimit(.minutes(10))) struct SensitiveTextScannerTests {
    private static let pieces = [
        "password", "token", "code", "Bearer", "Basic", "eyJhbGciOi", "name", "key", "a", "7", "é", "=", ":", "://",
        ":\\/\\/", "\"", "'", "`", "\\", "\\\"", "\\u0022", "\\u003d", "%22", "%3D", "%26", "%5D", "%", "&", ";", ",",
        "&amp;", "&quot;", "&#", "#", "$", "<", "</", ">", "/>", "<!--", "-->", "<![CDATA[", "]]>", "<?", "?>",
        "<!DOCTYPE",
        "{", "}", "[", "]", "(", ")", "@", "/", "?", ".", "-", "_", " ", "\t", "\n", "\r\n", "\"\"\"", "|", "=>", "\0",
    ]

    /// Returns a text of random pieces, which has the beginnings and ends of all formats in any order.
    private func text(_ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: 0...40, using: &generator)
        return (0..<count).map { _ in Self.pieces.randomElement(using: &generator) ?? "" }.joined()
    }

    @Test("any text can be searched, cut off anywhere, and text without names or secrets stays as it is")
    func randomTexts() {
        let names = SensitiveNames(others: [])
        let runs = ProcessInfo.processInfo.environment["MOYA_STRESS_RUNS"].flatMap(Int.init) ?? 2
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<runs * 1000 {
            let text = text(&generator)
            _ = SensitiveTextScanner.replaceSecrets(in: text) { name, _, _ in
                names.contains(name)
            } with: { _ in
                "***"
            }
            let same = SensitiveTextScanner.replaceSecrets(in: text) { _, _, _ in
                true
            } with: {
                $0.text
            }
            expectEqual(same, text)
        }
    }

    @Test(
        "the time is proportional to the length",
        arguments: ["<", "<token>", "password:", "\"", "{\"token\":{", "a.", "\\\"", "://", "&"])
    func longTexts(_ piece: String) {
        let text = String(repeating: piece, count: 1 << 17 / piece.utf8.count)
        let names = SensitiveNames(others: [])
        let replaced = SensitiveTextScanner.replaceSecrets(in: text) { name, _, _ in
            names.contains(name)
        } with: { _ in
            ""
        }
        #expect(replaced.utf8.count <= text.utf8.count)
    }
}

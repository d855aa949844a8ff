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
            } with: { _, _ in
                "***"
            }
            let same = SensitiveTextScanner.replaceSecrets(in: text) { _, _, _ in
                true
            } with: { value, _ in
                value
            }
            expectEqual(same, text)
        }
    }

    @Test(
        "the time is proportional to the length",
        arguments: [
            "<", "<token>", "password:", "\"", "{\"token\":{", "a.", "\\\"", "://", "&", "a:\n ", "a:\r", "pin:\n\n",
            "<a b=c", "token=", "token:b(", "token=b'", "token:a'b",
        ])
    func longTexts(_ piece: String) {
        let text = String(repeating: piece, count: 1 << 15 / piece.utf8.count)
        let names = SensitiveNames(others: [])
        let replaced = SensitiveTextScanner.replaceSecrets(in: text) { name, _, _ in
            names.contains(name)
        } with: { _, _ in
            ""
        }
        #expect(replaced.utf8.count <= text.utf8.count)
    }

    @Test("one long, indented line takes no longer")
    func longLine() {
        let text = String(repeating: " ", count: 1 << 16) + "token: " + String(repeating: "a ", count: 1 << 15)
        let replaced = SensitiveTextScanner.replaceSecrets(in: text) { name, _, _ in
            name == "token"
        } with: { _, _ in
            ""
        }
        #expect(replaced.utf8.count <= text.utf8.count)
    }

    @Test("all secret attributes of an element are found, in any order")
    func attributes() {
        for attributes in [#"secret="a1" value="b1""#, #"value="a1" secret="b1""#] {
            let replaced = SensitiveTextScanner.replaceSecrets(in: "<token \(attributes)/>") { name, _, _ in
                ["secret", "token"].contains(name)
            } with: { _, _ in
                "***"
            }
            #expect(!replaced.contains("1"))
        }
    }

    @Test("names with indexes, and the names of keys and codes, are sensitive")
    func names() {
        let names = SensitiveNames(others: [])
        for name in ["pin[0]", "key[12]", "user.otp[0][1]", "pin[]", "signing_key", "securityCode", "user_pass"] {
            #expect(names.contains(name), "\(name)")
        }
        for name in ["0", "[0]", "12.5", "a[0]", "keyboard", "2.5.0"] { #expect(!names.contains(name), "\(name)") }
    }

    @Test(
        "a value in quotes is secret if the beginning of a literal or calls are in front of the quote",
        arguments: [
            ("{'user': u'ann', 'password': b'S3 x'}", "{'user': u'ann', 'password': b'***'}"),
            (#"token: Optional("S3 x")"#, #"token: Optional("***")"#),
            (#"token: Some(b"S3 x"), a: 1"#, #"token: Some(b"***"), a: 1"#),
            (#"password = @"S3 x";"#, #"password = @"***";"#), (#"password = $"S3 x""#, #"password = $"***""#),
            (#"{\"token\":Optional(\"S3 x\")}"#, #"{\"token\":Optional(\"***\")}"#),
            ("'token':\n u'S3 x',", "'token':\n u'***',"), (#"token=b'\x8fS3 x'"#, "token=b'***'"),
            ("my token=don't-S3, a", "my token=***, a"),
            (#"{"url":"token=b","user":"ann"}"#, #"{"url":"token=***","user":"ann"}"#),
            (#"["token=b"\n,"ann"]"#, #"["token=***"\n,"ann"]"#),
            (#"<a href='?token=u'>ann</a>"#, "<a href='?token=***'>ann</a>"),
            ("curl 'https://h/?user=a&password=Welcome1@'", "curl 'https://h/?user=a&password=***'"),
            (#"<a href="?token=a1@">reset</a><p class="note">"#, #"<a href="?token=***">reset</a><p class="note">"#),
            (#"{"url":"password=Secret9(","user":"ann"}"#, #"{"url":"password=***","user":"ann"}"#),
        ])
    func prefixedQuotes(_ text: String, _ expected: String) {
        expectEqual(Self.redacted(text), expected)
    }

    @Test(
        "YAML 1.2, 8.1: all lines of a block below a sensitive name are secret",
        arguments: [
            ("a: 1\ntoken: |\n  S3\n\n   x\nb: 2", "a: 1\ntoken: ***\nb: 2"),
            ("private_key: >-\n  S3\n  S4", "private_key: ***"),
            ("- token: |2+\n    S3\n  b: 2", "- token: ***\n  b: 2"),
            ("token: |\nb: 2", "token: ***\nb: 2"), ("token: | S3", "token: ***"),
            ("a: 1\ntokens:\n  - S3\n  - S4\nb: 2", "a: 1\ntokens:\n  ***\nb: 2"),
            ("tokens:\r\n- S3\r\n- S4\r\nb: 2", "tokens:\r\n***\nb: 2"),
            ("- password:\n    old: S3\n    new:\n      S4\n  b: 2", "- password:\n    ***\n  b: 2"),
            ("token:\nb: 2", "token:\nb: 2"), ("token:\n", "token:\n"), ("token:\n  ", "token:\n  "),
            ("token:\n  \n  S3", "token:\n  \n  ***"),
        ])
    func blocks(_ text: String, _ expected: String) {
        expectEqual(Self.redacted(text), expected)
    }

    private static func redacted(_ text: String) -> String {
        let names = SensitiveNames(others: [])
        return SensitiveTextScanner.replaceSecrets(in: text) { name, _, _ in
            names.contains(name)
        } with: { _, _ in
            "***"
        }
    }
}

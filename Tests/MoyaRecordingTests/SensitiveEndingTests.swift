import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaRecording

/// Names that end like the description of a secret, and codes in paths; the numbers are those of the edge cases.
extension RecordingRedactionTests {
    @Test(
        "3: names that only end like a description are sensitive",
        arguments: [
            #"{"tokens_by_type":{"access":"aB3xaB3x"}}"#, #"{"passwords_by_account_type":["pA55word99"]}"#,
            #"{"ratelimit_api_key":"aB3xaB3x"}"#, #"{"verification_code_sms":"482913"}"#,
        ])
    func sensitiveEndings(_ text: String) throws {
        let redacted = try Self.redacted([Self.entry(headers: ["X-RateLimit-Bypass-Token": "aB3xaB3x"], text)])[0]
        expectEqual(redacted.request.headers["X-RateLimit-Bypass-Token"], "***1")
        #expect(Self.text(redacted.response?.content)?.contains("***") == true)
    }

    @Test("3: names that were added are sensitive, whatever their ending")
    func addedEndings() throws {
        let entry = try Self.entry(
            headers: ["Content-Type": "application/x-www-form-urlencoded"], content: "card[expiry]=12/27",
            #"{"patient":{"blood_type":"AB-"}}"#)
        let redacted = try Self.redacted([entry], .secretNames(and: ["expiry", "patient"]))[0]
        expectEqual(Self.text(redacted.request.content), "card[expiry]=***1")
        expectEqual(Self.text(redacted.response?.content), #"{"patient":{"blood_type":"***2"}}"#)
    }

    @Test(
        "3: a code that may be a word or a number is replaced where it is a segment of a path",
        arguments: ["ABCDEF", "482913"])
    func codesInPaths(_ code: String) throws {
        let entries = [
            try Self.entry("https://a.example/", #"{"verification_code":"\#(code)"}"#),
            try Self.entry("https://a.example/trips/\(code)/x", ""),
        ]
        expectEqual(try Self.redacted(entries)[1].request.url.path(), "/trips/***1/x")
    }
}

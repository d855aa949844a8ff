import Foundation
import Moya
import TestSupport
import Testing

@testable import MoyaTesting

/// The numbers are those of the design's edge cases.
@Suite(.queued, .timeLimit(.minutes(10))) struct RequestMatchingTests {
    struct Sent: Sendable, CustomStringConvertible {
        var url = "https://a.example/b"
        var headers: HTTPHeaders = [:]
        var body = ""

        var description: String { "\(url) \(body)" }

        func request(_ redaction: RecordingRedaction = .secretNames) throws -> HAR.Request {
            HAR.Request(
                method: .post, url: try #require(URL(string: url)), headers: headers,
                content: body.isEmpty ? nil : HAR.Content(Data(body.utf8)))
        }
    }

    private static func difference(
        _ first: Sent, _ second: Sent, _ matching: RequestMatching = .default
    ) throws -> String? {
        let signatures = try [first, second].map { RequestSignature(try $0.request(), matching) }
        return signatures[0].difference(from: signatures[1])?.text
    }

    private static func multipart(_ boundary: String, _ nonce: String = "1") -> Sent {
        let parts = [("name", "ann"), ("nonce", nonce)].map { name, value in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        return Sent(
            headers: ["Content-Type": "multipart/form-data; boundary=\"\(boundary)\""],
            body: parts.joined() + "--\(boundary)--\r\n")
    }

    private static let json: HTTPHeaders = ["Content-Type": "application/json; charset=utf-8"]
    private static let form: HTTPHeaders = ["Content-Type": "application/x-www-form-urlencoded"]

    @Test(
        "10: requests that are equal",
        arguments: [
            (Sent(url: "https://a.example/b?x=1&y=2&x=0"), Sent(url: "https://a.example/b?y=2&x=0&x=1")),
            (Sent(url: "https://a.example/b?q=a+b"), Sent(url: "https://a.example/b?q=a%20b")),
            (Sent(url: "HTTPS://A.example:443/%7euser/./c/../%2f"), Sent(url: "https://a.example/~user/%2F")),
            (Sent(url: "https://a.example"), Sent(url: "https://a.example/#fragment")),
            (Sent(headers: ["Date": "1"]), Sent(headers: ["Date": "2"])),
            (Sent(headers: json, body: #"{"a":1,"b":[2.0]}"#), Sent(headers: json, body: #" {"b":[2],"a":1.0}"#)),
            (Sent(headers: form, body: "a=1&b=x+y"), Sent(headers: form, body: "b=x%20y&a=1")),
            (multipart("one"), multipart("two")),
            (Sent(body: "***1 and ***2"), Sent(body: "***3 and ***1")),
            (Sent(url: "https://a.example/***1?t=***2"), Sent(url: "https://a.example/***9?t=***9")),
        ])
    func acceptsEqualRequests(_ first: Sent, _ second: Sent) throws {
        #expect(try Self.difference(first, second) == nil)
    }

    @Test(
        "10: requests that differ",
        arguments: [
            (Sent(url: "https://a.example/b?x=1"), Sent(url: "https://a.example/b?x=1&x=1"), "query parameter \"x\""),
            (Sent(url: "https://a.example/a%2Fb"), Sent(url: "https://a.example/a/b"), "the path"),
            (Sent(url: "http://a.example/b"), Sent(), "the origin"),
            (Sent(url: "https://a.example:444/b"), Sent(), "the origin"),
            (
                Sent(headers: json, body: "[1,2]"), Sent(headers: json, body: "[2,1]"),
                "/0 of the content is 1 instead of 2"
            ),
            (Sent(headers: json, body: "[1]"), Sent(headers: json, body: "{}"), "an array of 1 instead of an object"),
            (Sent(headers: form, body: "a=1"), Sent(headers: form, body: "a=2"), "form field \"a\""),
            (Sent(body: "abc"), Sent(body: "abd"), "at offset 2"), (Sent(body: "abc"), Sent(), "instead of missing"),
            (multipart("one", "1"), multipart("one", "2"), "at offset"),
        ])
    func namesDifferences(_ first: Sent, _ second: Sent, _ text: String) throws {
        let difference = try Self.difference(first, second)
        #expect(difference?.contains(text) == true, "\(difference ?? "equal")")
    }

    @Test("10: ignored names: query, form, parts of forms, JSON at any depth")
    func ignoresNames() throws {
        let matching = RequestMatching.default.ignoring(["nonce"])
        let pairs = [
            (Sent(url: "https://a.example/b?nonce=1"), Sent(url: "https://a.example/b?nonce=2")),
            (Sent(headers: Self.form, body: "a=1&nonce=1"), Sent(headers: Self.form, body: "a=1")),
            (Self.multipart("one", "1"), Self.multipart("two", "2")),
            (Sent(headers: Self.json, body: #"[{"nonce":1}]"#), Sent(headers: Self.json, body: #"[{"nonce":{}}]"#)),
        ]
        for (first, second) in pairs {
            #expect(try Self.difference(first, second) != nil)
            #expect(try Self.difference(first, second, matching) == nil)
        }
        #expect(try Self.difference(Sent(body: "a"), Sent(body: "b"), .default.ignoringContent()) == nil)
    }

    @Test("15: header fields are compared if they are named")
    func comparesHeaders() throws {
        let matching = RequestMatching.default.including(headers: ["Accept"])
        #expect(try Self.difference(Sent(headers: ["accept": "a"]), Sent(headers: ["Accept": "a"]), matching) == nil)
        let difference = try Self.difference(Sent(headers: ["accept": "a"]), Sent(), matching)
        expectEqual(difference, "the header accept is \"a\" instead of missing")
    }

    @Test("15: an additional condition receives the request and the entry; conditions are combined")
    func appliesCondition() throws {
        let request = try Sent().request()
        let archive = HAR(entries: [
            HAR.Entry(
                start: Date(), request: request,
                response: HAR.Response(statusCode: 200, content: HAR.Content(Data("a".utf8))))
        ])
        func status(_ conditions: [Bool]) throws -> Int? {
            var options = ReplayOptions()
            for condition in conditions {
                options.matching = options.matching.requiring { $0.url == $1.url && condition }
            }
            return try ReplayTransport(archive, options: options).batches(.post, "https://a.example/b").head?.statusCode
        }
        #expect(try status([true]) == 200 && status([false]) == nil)
        #expect(try status([true, true]) == 200 && status([false, true]) == nil)
    }
}
